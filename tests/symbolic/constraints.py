# Runs the conditions that Broadloom writes for shapes with unknown extents: Python asserts, torch._check lines and constraints
# for JAX. Numbers under which the shapes fit must pass, numbers under which they do not must fail; which is which, the core
# says of the numbers.
#
#   python tests/symbolic/constraints.py --session build/native/tests/broadloom_session --count 400 --seed 1
#
# JAX must also accept its constraints as those of symbolic_shape, and compute with the shapes under them. torch.export must
# export a program with the checks, whose sizes are computed, and the program must run on numbers that pass. Without PyTorch,
# its lines are run with a stand-in for torch._check. The last line is `N passed, N failed`.
import argparse
import collections
import itertools
import json
import random
import sys

import oracles
from check import Question, Session, UNBOUNDED, asserted
from oracles import Ask


class StandIn:
    @staticmethod
    def _check(condition):
        if not condition:
            raise RuntimeError('a check failed')


class Operand:
    def __init__(self, shape):
        self.shape = shape


# Numbers for the symbols that are not ends of the world: small ones, the ends of ranges, and the question's numbers.
def assignments(rng, question, most):
    numbers = {e for row in rows_of(question) for e in row if isinstance(e, int)} | {0, 1, 2, 3, 5}
    own = []
    for _, least, end in question.symbols:
        inside = {n for n in numbers if n >= least and (end is UNBOUNDED or n <= end)} | {least, least + 4 if end is UNBOUNDED else end}
        own.append(sorted(inside))
    everything = list(itertools.islice(itertools.product(*own), 20000))
    return rng.sample(everything, min(most, len(everything)))


def rows_of(question):
    return question.shapes + ([question.target] if question.target is not None else [])


def concrete_rows(question, values):
    return [[e if isinstance(e, int) else values[e[1]] for e in row] for row in rows_of(question)]


# Whether the shapes fit, as the core says.
def fits(session, question, concrete):
    words = ['[' + ','.join(map(str, shape)) + ']' for shape in concrete]
    target = words.pop() if question.target is not None else '-'
    mapping = '-' if question.mapping is None else '[' + ','.join(map(str, question.mapping)) + ']'
    axis = '-' if question.axis is None else question.axis
    told = session.ask(f'shape {question.rule} {axis} {target} {mapping} - ' + ' '.join(words))
    return told.startswith('shape') or ' overflow' in told


# Whether lines of torch._check pass.
def checked(torch, lines, question, concrete):
    scope = {'torch': torch, **{'abcdef'[i]: Operand(shape) for i, shape in enumerate(concrete[:len(question.shapes)])}}
    if question.target is not None:
        scope['target'] = concrete[-1]
    try:
        exec(lines, scope)
    except RuntimeError:
        return False
    return True


# JAX's constraints: without quotes and commas.
def constraints_of(text):
    return [line[1:-2] for line in text.split('\n') if line.startswith('"')]


def jax_name(symbols, i):
    return symbols[i][0] or f'd{i}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--session', required=True)
    parser.add_argument('--count', type=int, default=400)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--show', type=int, default=8)
    options = parser.parse_args()
    session = Session(options.session)
    rng = random.Random(options.seed)
    jax = oracles.Jax()
    try:
        import torch
    except ImportError:
        torch = None
    counts = collections.Counter()
    faults = []

    def expect(what, is_right, *details):
        counts[what, bool(is_right)] += 1
        if not is_right:
            faults.append((what, *details))
    asked = 0
    while asked < options.count:
        question = Question(rng, False)
        if question.rule == 'by_name':
            continue
        line = question.line()
        told = session.ask(line)
        answer = json.loads(told.removeprefix('symbolic '))
        cases = answer['cases']
        if answer['fit'] != 'if' or len(cases) != 1 or any(axis['mustCheck'] for axis in cases[0]['axes']):
            continue
        asked += 1
        _, python, checks, for_jax = answer['conditions'][0]
        constraints = constraints_of(for_jax)
        witnesses = {tuple(a['witness']) for axis in cases[0]['axes'] for a in axis['alternatives'] if a['witness']}
        for_names = []
        tried = {**{values: False for values in assignments(rng, question, 60)},
                 **{values: True for values in witnesses}}
        for values, is_witness in tried.items():
            concrete = concrete_rows(question, values)
            does_fit = fits(session, question, concrete)
            if is_witness:
                expect('a witness fits', does_fit, line, values)
            word = 'pass' if does_fit else 'fail'
            expect(f'Python asserts {word}', asserted(python, concrete, question) == does_fit, line, values, python)
            expect(f'torch._check lines {word}', checked(torch or StandIn, checks, question, concrete) == does_fit, line, values, checks)
            scope = {jax_name(question.symbols, i): value for i, value in enumerate(values)}
            holds = all(eval(constraint, {}, scope) for constraint in constraints)
            # They are one alternative of each axis: narrower, but never wider than what fits.
            if not does_fit:
                expect("JAX's constraints fail", not holds, line, values, constraints)
            elif is_witness and 0 not in values:
                for_names.append(holds)
        if for_names:
            expect("JAX's constraints pass for a witness", any(for_names), line, constraints)

    # JAX itself, and torch.export, on questions of the kind that they have.
    for system in [jax] + ([oracles.TorchData()] if torch else []):
        from systems import ask, random_question
        asked = 0
        while asked < options.count // 2:
            question = random_question(rng, system, rng.choice(system.rules))
            answer = ask(session, question)
            if answer['fit'] == 'never' or any(axis['mustCheck'] for axis in answer['cases'][0]['axes']):
                continue
            plain = system.ask(question)
            if system is jax:
                if plain != oracles.ERROR:
                    continue
                asked += 1
                constraints = constraints_of(answer['conditions'][0][3])
                computes = system.ask(question, constraints=constraints) != oracles.ERROR
                # 1..2 always fits to 2, so that there is no condition; JAX decides nothing by the end of a range.
                if not computes and '1..2' in question.line():
                    counts['JAX does not see that 1..2 fits to 2', True] += 1
                    continue
                expect('JAX computes under its constraints', computes, question.line(), constraints)
                continue
            lines = answer['conditions'][0][2].split('\n')
            if lines == ['']:
                continue
            asked += 1
            named = {e[0]: e for shape in question.rows() for e in shape if not isinstance(e, int)}
            values = oracles.example(question)
            program = oracles.exported(torch, question, named, values, lines)
            counts['torch.export without the checks', plain != oracles.ERROR] += 1
            expect('torch.export with the checks', not isinstance(program, str), question.line(), lines, program)
    for what in dict.fromkeys(what for what, _ in counts):
        print(f'{what:50}{counts[what, True]:8} right{counts[what, False]:6} not')
    for fault in faults[:options.show]:
        print(*fault, sep='\n    ')
    failed = len(faults)
    print(f'{sum(n for (what, _), n in counts.items()) - failed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
