# Asks other systems (oracles.py) about shapes with unknown extents, and counts where they answer differently from Broadloom,
# whose own answers check.py proves.
#
#   python tests/symbolic/systems.py --session build/native/tests/broadloom_session --count 2000 --seed 7
#   python tests/symbolic/systems.py --session ... --record tests/symbolic/recorded.jsonl
#   python tests/symbolic/systems.py --session ... --replay tests/symbolic/recorded.jsonl
#
# COUNT is the number of questions for each system and rule; slow systems get a part. `--record` writes some of each kind of answer, with the system's
# version; `--replay` compares those with Broadloom, without the systems.
#
# same       the verdict and all extents of the result are the same
# less       unknown, or a wider range, where more can be said
# refuses    an error where some extents fit
# accepts    no error where none fit
# assumes    a program that refuses some extents that fit
# wrong      an extent that is not always right
#
# Each answer but `same` must be in a row of divergences.py, which are those of docs/divergences.md. The last line is
# `N passed, N failed`.
import argparse
import collections
import importlib.metadata
import itertools
import json
import os
import random
import sys

import divergences
import oracles
from check import Session
from oracles import ERROR, RANK, Ask

TARGET_RULES = ('bidirectional', 'broadcast_numpy', 'explicit')
VERDICTS = ('same', 'less', 'refuses', 'accepts', 'assumes', 'wrong')


# --- Questions --------------------------------------------------------------------------------------------------------

def random_question(rng, system, rule):
    pool = {}

    def extent():
        if rng.random() < 0.45:
            return rng.choice([n for n in (0, 1, 1, 2, 3) if n >= system.least])
        least, most = system.least, None
        if system.ranges and rng.random() < 0.6:
            least = rng.choice([n for n in (0, 1, 1, 2, 3) if n >= system.least])
            most = rng.choice([None, least + 1, least + 3])
        name = ''
        if system.names:
            anonymous = isinstance(system, oracles.Onnx) and rng.random() < 0.25
            name = '' if anonymous else rng.choice('NMKL')
        return pool.setdefault(name, (name, least, most)) if name else ('', least, most)

    count = 1 if rule in TARGET_RULES else 2
    if rule in ('none', 'numpy', 'onnx_multidirectional') and system.most_operands > 2 and rng.random() < 0.4:
        count = rng.randint(3, system.most_operands)
    ranks = [rng.choice([0, 1, 1, 2, 2, 3]) for _ in range(count)]
    if rule == 'none':
        ranks = [ranks[0] if rng.random() < 0.9 else rank for rank in ranks]
    if rule in ('onnx_unidirectional', 'pdpd') and rng.random() < 0.85:
        ranks.sort(reverse=True)
    shapes = [[extent() for _ in range(rank)] for rank in ranks]
    axis = target = mapping = None
    if rule == 'pdpd':
        # Sometimes where trailing ones of B have no place on A.
        axis = rng.choice([-1, *range(max(0, len(shapes[0]) - len(shapes[1])) + 2)])
    if rule in TARGET_RULES:
        rank = max(0, ranks[0] + rng.choice([-1, 0, 0, 1, 1, 2]))
        target = [extent() for _ in range(rank)]
        if rule == 'explicit':
            if rank >= ranks[0] and rng.random() < 0.9:
                mapping = rng.sample(range(rank), ranks[0])
                if rng.random() < 0.9:
                    mapping.sort()
            else:
                mapping = [rng.randint(0, 2) for _ in range(ranks[0])]
    question = Ask(rule, shapes, axis, target, mapping)
    if system.unknown_ranks and rng.random() < 0.1:
        at = rng.randrange(len(question.rows()))
        if at < len(shapes):
            shapes[at] = RANK
        else:
            question.target = RANK
    return question


# --- Judging ----------------------------------------------------------------------------------------------------------

# Broadloom's result: ERROR, RANK if the rank may vary, or an axis' (choices, least, most) each; None if it is not exact.
def own_result(answer):
    if answer['fit'] == 'never':
        return ERROR
    cases = [case for case in answer['cases'] if case['fit'] != 'never']
    if any(axis['mustCheck'] for case in cases for axis in case['axes']):
        return None
    if len({len(case['axes']) for case in cases}) > 1 or any(case['openAxis'] is not None for case in cases):
        return RANK
    if answer['fit'] == 'must_check' and not cases[0]['axes']:
        return None

    def named(term):
        return term if isinstance(term, int) else answer['symbols'][term['symbol']]['name']
    result = []
    for axes in zip(*[case['axes'] for case in cases]):
        choices = [named(choice) for axis in axes for choice in axis['choices']]
        ends = [axis['most'] for axis in axes]
        result.append((list(dict.fromkeys(choices)), min(axis['least'] for axis in axes),
                       None if None in ends else max(ends)))
    return result


# Whether a name is the result's extent on an axis wherever the shapes fit: it equals each alternative's result, by that
# alternative and by the axes that have no other.
def entailed(answer, axis, name):
    (case,) = answer['cases']
    sure = [*case['when'], *[equal for each in case['axes'] if len(each['alternatives']) == 1
                             for equal in each['alternatives'][0]['equal']]]

    def same(equalities, a, b):
        known = {a}
        for _ in equalities:
            for pair in equalities:
                if known & set(pair):
                    known |= set(pair)
        return b in known

    def key(term):
        return term if isinstance(term, int) else 's' + str(term['symbol'])
    wanted = [f's{i}' for i, symbol in enumerate(answer['symbols']) if symbol['name'] == name]
    return all(same([tuple(map(key, pair)) for pair in [*sure, *alternative['equal']]], key(alternative['result']), wanted[0])
               for alternative in case['axes'][axis]['alternatives'])


# How an answer of a system stands to Broadloom's. `names`: whether the system has names.
def judge(answer, theirs, names):
    ours = own_result(answer)
    if ours is None:
        return None
    if ours == ERROR:
        return 'same' if theirs == ERROR else 'accepts'
    if theirs == ERROR:
        return 'refuses'
    if theirs == RANK:
        return 'same' if ours == RANK else 'less'
    if ours == RANK or len(theirs) != len(ours):
        return 'wrong'
    verdict = 'same'
    for axis, ((choices, least, most), claim) in enumerate(zip(ours, theirs)):
        if isinstance(claim, (tuple, list)):
            if claim[0] > least or (claim[1] is not None and (most is None or claim[1] < most)):
                return 'wrong'
            one = len(choices) == 1 and choices[0] != ''
            # Of a system without ranges (0, None) is all that an unknown extent can be.
            if tuple(claim) != (least, most) or (one and (isinstance(choices[0], int) or names)):
                verdict = 'less'
        elif isinstance(claim, int):
            if (least, most) != (claim, claim):
                return 'wrong'
        elif choices != [claim]:
            if len(answer['cases']) > 1 or not entailed(answer, axis, claim):
                return 'wrong'
            verdict = 'less'
    return verdict


def ask(session, question):
    told = session.ask(question if isinstance(question, str) else question.line())
    if not told.startswith('symbolic '):
        raise SystemExit(f'{question}\n  {told}')
    return json.loads(told.removeprefix('symbolic '))


# A verdict of a program that torch.export made, in the light of what it does with extents that fit.
def with_program(system, question, answer, verdict):
    if verdict in ('same', 'less', 'wrong') and hasattr(system, 'runs') and answer['fit'] != 'never':
        for values in itertools.islice(oracles.examples(question), 24):
            if not system.runs(question, values):
                return 'assumes'
    return verdict


# --- Comparing --------------------------------------------------------------------------------------------------------

class Table:
    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.examples = collections.defaultdict(dict)
        self.unclaimed = []

    def add(self, name, rule, verdict, question, theirs, answer):
        self.rows[name, rule][verdict] += 1
        title = None
        if verdict != 'same':
            title = divergences.title_of(name, verdict, question)
            ours = answer['fit'] if answer['fit'] == 'never' else ' or '.join(case['shape'] for case in answer['cases'])
            text = f'{question}: {theirs}; Broadloom: {ours}'
            if title is None:
                self.unclaimed.append(f'{name}: {verdict}: {text}')
            self.examples[name, title, verdict].setdefault(len(text), text)
        return title

    def show(self, examples, failed=0):
        width = max((len(name) for name, _ in self.rows), default=0) + 2
        print(f"{'system':{width}}{'rule':23}" + ''.join(f'{verdict:>9}' for verdict in VERDICTS))
        for (name, rule), counts in self.rows.items():
            print(f'{name:{width}}{rule:23}' + ''.join(f'{counts[verdict]:9}' for verdict in VERDICTS))
        for (name, title, verdict), texts in sorted(self.examples.items(), key=str) if examples else []:
            print(f'{name}: {verdict}: {title}')
            for length in sorted(texts)[:examples]:
                print(f'    {texts[length]}')
        for text in self.unclaimed[:10]:
            print(f'in no row of the divergences: {text}')
        total = sum(sum(counts.values()) for counts in self.rows.values())
        failed += len(self.unclaimed)
        print(f'{total - len(self.unclaimed)} passed, {failed} failed')
        return 1 if failed else 0


# xarray's answer is the sizes by name.
def judge_named(answer, theirs):
    ours = ERROR if answer['fit'] == 'never' else [[axis['name'], axis['least']] for axis in answer['cases'][0]['axes']]
    if ours == theirs:
        return 'same'
    return 'refuses' if theirs == ERROR else 'accepts' if ours == ERROR else 'wrong'


def compare_xarray(session, options, table, records):
    try:
        system = oracles.Xarray()
    except ImportError:
        print('not run: xarray is not installed')
        return
    name = f"xarray {importlib.metadata.version('xarray')}"
    rng = random.Random(options.seed)
    for number in range(options.count):
        question = oracles.named_question(rng)
        answer = ask(session, question)
        theirs = system.ask(question)
        verdict = judge_named(answer, theirs)
        table.add(name, 'by_name', verdict, question, theirs, answer)
        if verdict != 'same' or number < 4 * options.keep:
            records.append({'system': name, 'question': question, 'answer': theirs, 'verdict': verdict})


def compare(session, options):
    table = Table()
    records = []
    for kind in (oracles.OpenVino, oracles.Onnx, oracles.OnnxShapeInference, oracles.Jax, oracles.Torch, oracles.TorchData):
        if options.only and kind.__name__ not in options.only:
            continue
        try:
            system = kind()
            version = importlib.metadata.version(kind.package).split('+')[0]
        except ImportError:
            print(f'not run: {kind.package} is not installed')
            continue
        name = f'{kind.package} {version}' + (f', {kind.form}' if hasattr(kind, 'form') else '')
        for rule in kind.rules:
            rng = random.Random(f'{options.seed} {rule}')
            kept = collections.Counter()
            for _ in range(options.count // kind.share):
                question = random_question(rng, system, rule)
                answer = ask(session, question)
                theirs = system.ask(question)
                verdict = judge(answer, theirs, system.names)
                if verdict is None:
                    continue
                verdict = with_program(system, question, answer, verdict)
                title = table.add(name, rule, verdict, question.line(), theirs, answer)
                kept[verdict, title] += 1
                if kept[verdict, title] <= options.keep:
                    records.append({'system': name, 'question': question.line(), 'answer': theirs, 'verdict': verdict})
    if not options.only or 'Xarray' in options.only:
        compare_xarray(session, options, table, records)
    if options.record:
        with open(options.record, 'w') as file:
            file.writelines(json.dumps(record) + '\n' for record in records)
    return table.show(options.examples)


def replay(session, options):
    table = Table()
    titles = set()
    failed = 0
    with open(options.replay) as file:
        records = [json.loads(line) for line in file]
    for record in records:
        answer = ask(session, record['question'])
        if record['system'].startswith('xarray'):
            verdict = judge_named(answer, record['answer'])
        else:
            verdict = judge(answer, record['answer'], not record['system'].startswith('openvino'))
        # What a program does with numbers is not recorded.
        wanted = record['verdict']
        if verdict != wanted and not (wanted == 'assumes' and verdict in ('same', 'less', 'wrong')):
            failed += 1
            print(f"{record['system']}: {record['question']}: {record['answer']}: {verdict}, not {wanted}")
        titles.add(table.add(record['system'], record['question'].split(' ')[1], wanted, record['question'],
                             record['answer'], answer))
    with open(os.path.join(os.path.dirname(__file__), '../../docs/divergences.md')) as file:
        documented = divergences.documented(file.read())
    if documented != divergences.TITLES:
        failed += 1
        print(f'the rows of the document are {documented}, not {divergences.TITLES}')
    for title in divergences.TITLES:
        if title not in titles:
            failed += 1
            print(f'no record shows: {title}')
    return table.show(options.examples, failed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--session', required=True)
    parser.add_argument('--count', type=int, default=500)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', type=int, default=4)
    parser.add_argument('--examples', type=int, default=0)
    parser.add_argument('--only', nargs='*')
    parser.add_argument('--record')
    parser.add_argument('--replay')
    options = parser.parse_args()
    session = Session(options.session)
    sys.exit(replay(session, options) if options.replay else compare(session, options))


if __name__ == '__main__':
    main()
