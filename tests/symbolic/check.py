# Compares symbolic answers of the session (tests/conformance/symbolic.h) with two independent answers, on random questions:
#
# - exactly, with islpy: the relation between unknown extents and the result's extents, which this file writes from the rules'
#   documents, and the relation that the answer's alternatives describe. They must be equal: a smaller one is unsound, a
#   larger one is not tight. Verdict and ranges are compared as well.
# - by brute force: numbers for the unknown extents and ranks, about which the session's question `shape` is asked.
#
#   python tests/symbolic/check.py --session build/native/tests/broadloom_session --count 100000 --seed 1
#
# The last line is `N passed, N failed`; before it are the counts of each rule.
import argparse
import collections
import itertools
import json
import random
import subprocess
import sys

RULES = ['none', 'numpy', 'onnx_multidirectional', 'onnx_unidirectional', 'pdpd', 'bidirectional', 'broadcast_numpy',
         'explicit', 'sonnx', 'by_name']
TARGET_RULES = ('bidirectional', 'broadcast_numpy', 'explicit')
UNBOUNDED = None


class Session:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip('\n')


# An extent of a question is a number, or the index of a symbol as ('s', i). A symbol is [name, least, most].
class Question:
    def __init__(self, rng, unknown_ranks):
        self.rule = rng.choice(RULES)
        self.symbols = []
        self.names = {}
        self.pool = [(name, *self.range(rng)) for name in 'NMKLPQ'[:rng.choice([1, 2, 2, 3, 3, 6])]]
        self.axis = self.mapping = self.target = None
        self.axis_names = None
        count = 1 if self.rule in TARGET_RULES else 2
        if self.rule in ('none', 'numpy', 'onnx_multidirectional', 'sonnx', 'by_name'):
            count = rng.choice([1, 2, 2, 2, 3, 3, 4])
        most = rng.choice([1, 2, 3, 3, 4])
        ranks = [rng.randint(0, most) for _ in range(count)]
        if self.rule in ('onnx_unidirectional', 'pdpd') and rng.random() < 0.8:
            ranks.sort(reverse=True)
        if self.rule == 'none' and rng.random() < 0.8:
            ranks = [ranks[0]] * count
        if self.rule == 'by_name':
            self.axis_names = [rng.sample('xyzw', min(rank, 4)) for rank in ranks]
            ranks = [len(names) for names in self.axis_names]
        self.shapes = [[self.extent(rng) for _ in range(rank)] for rank in ranks]
        if self.rule == 'pdpd' and rng.random() < 0.7:
            self.axis = rng.randint(-1, max(ranks) + rng.choice([-1, 0, 0, 1]))
        if self.rule in TARGET_RULES:
            rank = ranks[0] + rng.choice([0, 0, 1, 1, 2, -1])
            self.target = [self.extent(rng) for _ in range(max(rank, 0))]
        if self.rule == 'explicit':
            if len(self.target) >= ranks[0] and rng.random() < 0.9:
                self.mapping = sorted(rng.sample(range(len(self.target)), ranks[0]))
            else:
                self.mapping = [rng.randint(0, 3) for _ in range(ranks[0])]
        self.unknown = []
        if unknown_ranks and self.rule != 'by_name':
            rows = len(self.shapes) + (self.target is not None)
            self.unknown = rng.sample(range(rows), rng.choice([1, 1, 1, min(2, rows)]))

    def range(self, rng):
        kind = rng.random()
        if kind < 0.5:
            return 0, UNBOUNDED
        least = rng.choice([0, 0, 1, 1, 1, 2, 2, 3, 4])
        if kind < 0.65:
            return least, UNBOUNDED
        return least, least + rng.choice([1, 1, 2, 3, 5])

    def extent(self, rng):
        kind = rng.random()
        if kind < 0.35:
            return rng.choice([0, 1, 1, 2, 3, 3])
        if kind < 0.85:
            name, least, most = rng.choice(self.pool)
            if name not in self.names:
                self.names[name] = len(self.symbols)
                self.symbols.append([name, least, most])
            return ('s', self.names[name])
        self.symbols.append(['', *self.range(rng)])
        return ('s', len(self.symbols) - 1)

    def word(self, row):
        if row in self.unknown:
            return '*'
        shape = self.shapes[row] if row < len(self.shapes) else self.target
        return '[' + ','.join(self.name_of(row, axis) + self.write(extent) for axis, extent in enumerate(shape)) + ']'

    def name_of(self, row, axis):
        return self.axis_names[row][axis] + '=' if self.axis_names else ''

    def write(self, extent):
        if isinstance(extent, int):
            return str(extent)
        name, least, most = self.symbols[extent[1]]
        any_extent = least == 0 and most is UNBOUNDED
        written = f"{least}..{'' if most is UNBOUNDED else most}"
        if not name:
            return '?' if any_extent else written
        return name if any_extent else f'{name}:{written}'

    def line(self):
        options = ['-' if self.axis is None else str(self.axis),
                   '-' if self.target is None else self.word(len(self.shapes)),
                   '-' if self.mapping is None else '[' + ','.join(map(str, self.mapping)) + ']']
        return ' '.join(['symbolic', self.rule, *options, *[self.word(row) for row in range(len(self.shapes))]])


# --- The exact relation, from the documents ---------------------------------------------------------------------------

def text_of(extent):
    return str(extent) if isinstance(extent, int) else f's{extent[1]}'


# Extents that stretch to each other: each is 1 or equal to the result.
def meet(extents, result):
    ways = []
    for ones in itertools.product([True, False], repeat=len(extents)):
        parts = [f'{text_of(e)} = 1' if one else f'{text_of(e)} = {result}' for e, one in zip(extents, ones)]
        if all(ones):
            parts.append(f'{result} = 1')
        ways.append('(' + ' and '.join(parts) + ')')
    return '(' + ' or '.join(ways) + ')'


# The rank of the result and the conditions that relate all extents to r0, r1, ...; None if nothing fits.
def exact(question):
    rule, shapes = question.rule, question.shapes
    if rule == 'by_name':
        names = list(dict.fromkeys(itertools.chain(*question.axis_names)))
        parts = [f'r{names.index(name)} = {text_of(extent)}' for row, own in enumerate(question.axis_names)
                 for name, extent in zip(own, shapes[row])]
        return len(names), parts
    if rule == 'none':
        rank = len(shapes[0])
        if any(len(shape) != rank for shape in shapes):
            return None
        return rank, [f'r{axis} = {text_of(extent)}' for shape in shapes for axis, extent in enumerate(shape)]
    if rule in ('numpy', 'onnx_multidirectional', 'sonnx', 'bidirectional'):
        rows = shapes + ([question.target] if rule == 'bidirectional' else [])
        rank = max(map(len, rows))
        parts = []
        for axis in range(rank):
            parts.append(meet([row[axis - rank + len(row)] for row in rows if axis >= rank - len(row)], f'r{axis}'))
        return rank, parts
    if rule == 'onnx_unidirectional':
        reference, other = shapes
        places = range(len(reference) - len(other), len(reference))
        if len(other) > len(reference):
            return None
    elif rule == 'broadcast_numpy':
        reference, other = question.target, shapes[0]
        places = range(len(reference) - len(other), len(reference))
        if len(other) > len(reference):
            return None
    elif rule == 'explicit':
        reference, other, places = question.target, shapes[0], question.mapping
        if len(places) != len(other) or any(b <= a for a, b in zip(places, places[1:])):
            return None
        if any(place >= len(reference) for place in places):
            return None
    else:
        reference, other = shapes
        axis = -1 if question.axis is None else question.axis
        if len(other) > len(reference) or axis < -1:
            return None
        start = len(reference) - len(other) if axis == -1 else axis
        if start > len(reference):
            return None
        places = range(start, start + len(other))
    parts = [f'r{axis} = {text_of(extent)}' for axis, extent in enumerate(reference)]
    for place, extent in zip(places, other):
        if place >= len(reference):
            parts.append(f'{text_of(extent)} = 1')  # PDPD: a trailing 1 that is left out
        else:
            parts.append(f'({text_of(extent)} = 1 or {text_of(extent)} = r{place})')
    return len(reference), parts


def domain(question):
    parts = []
    for i, (_, least, most) in enumerate(question.symbols):
        parts.append(f's{i} >= {least}')
        if most is not UNBOUNDED:
            parts.append(f's{i} <= {most}')
    return parts


def as_set(isl, question, rank, parts):
    names = [f's{i}' for i in range(len(question.symbols))] + [f'r{axis}' for axis in range(rank)]
    condition = ' and '.join(domain(question) + parts)
    return isl.Set('{ [' + ', '.join(names) + ']' + (' : ' + condition if condition else '') + ' }')


# --- The relation that an answer describes ----------------------------------------------------------------------------

def symbol_map(question, answer):
    # The session numbers symbols in the order of appearance, as this file does; numbers with one value are no symbols here.
    return [f's{i}' for i in range(len(answer['symbols']))]


def term(each):
    return str(each) if isinstance(each, (int, str)) else f"s{each['symbol']}"


def described(found):
    parts = [f'{term(a)} = {term(b)}' for a, b in found['when']]
    for axis, each in enumerate(found['axes']):
        if each['mustCheck']:
            continue
        ways = []
        for alternative in each['alternatives']:
            equal = [f'{term(a)} = {term(b)}' for a, b in alternative['equal']]
            ways.append('(' + ' and '.join(equal + [f"r{axis} = {term(alternative['result'])}"]) + ')')
        parts.append('(' + ' or '.join(ways) + ')')
    return parts


def bounds(isl, relation, dimension):
    def value(found):
        if not found.is_int():
            return None
        return found.to_python()
    return value(relation.dim_min_val(dimension)), value(relation.dim_max_val(dimension))


# What is wrong: None, or (unsound or loose, a sentence).
def compare(isl, question, answer):
    truth = exact(question)
    if truth is None:
        return None if answer['fit'] == 'never' else ('loose', 'nothing fits')
    rank, parts = truth
    relation = as_set(isl, question, rank, parts)
    count = len(question.symbols)
    if relation.is_empty():
        if answer['fit'] in ('always', 'if'):
            return 'unsound', 'nothing fits'
        return None if answer['fit'] == 'never' else ('loose', 'must_check, but nothing fits')
    if answer['fit'] == 'never':
        return 'unsound', 'something fits'
    if len(answer['cases']) != 1:
        return 'unsound', 'several cases'
    found = answer['cases'][0]
    if len(found['axes']) != rank:
        return 'unsound', 'another rank'
    claim = as_set(isl, question, rank, described(found))
    if not relation.is_subset(claim):
        return 'unsound', 'the alternatives leave out extents that fit'
    for axis, each in enumerate(found['axes']):
        least, most = bounds(isl, relation, count + axis)
        if least < each['least'] or (each['most'] is not None and (most is None or most > each['most'])):
            return 'unsound', f'axis {axis}: {least}..{most}'
        choices = ' or '.join(f'r{axis} = {term(choice)}' for choice in each['choices'])
        if not relation.is_subset(as_set(isl, question, rank, [f'({choices})'])):
            return 'unsound', f'axis {axis}: not one of the choices'
        if (least, most) != (each['least'], each['most']):
            return 'loose', f"axis {axis}: {least}..{most}"
    fits = relation.project_out(isl.dim_type.set, count, rank)
    all_fit = as_set(isl, question, 0, []).is_subset(fits)
    if answer['fit'] == 'always' and not all_fit:
        return 'unsound', 'not always'
    if answer['fit'] == 'must_check':
        return 'loose', 'must_check'
    if answer['fit'] == 'if' and all_fit:
        return 'loose', 'always'
    if not claim.is_subset(relation):
        return 'unsound', 'the alternatives include extents that do not fit'
    for axis, each in enumerate(found['axes']):
        for i, alternative in enumerate(each['alternatives']):
            equal = [f'{term(a)} = {term(b)}' for a, b in alternative['equal']]
            if as_set(isl, question, rank, parts + equal).is_empty():
                return 'loose', f'axis {axis}: alternative {i} contradicts others'
            if count and len(alternative['witness']) != count:
                return 'loose', f'axis {axis}: no witness'
            values = [f's{s} = {value}' for s, value in enumerate(alternative['witness'])]
            if as_set(isl, question, rank, parts + equal + values).is_empty():
                return 'unsound', f'axis {axis}: wrong witness'
    return None


# --- Brute force ------------------------------------------------------------------------------------------------------

def value_of(each, values):
    return each if isinstance(each, int) else values[each['symbol']]


def pick(rng, least, most):
    top = least + 6 if most is UNBOUNDED else most
    choices = [v for v in (1, 2, 3, 0, 4, 5) if least <= v <= top] or [least]
    return rng.choice(choices[:4] + [rng.randint(least, min(top, least + 6))])


# Draws numbers for everything unknown, and checks that the answer admits the core's result, and nothing if there is none.
def sample(rng, session, question, answer):
    values = [pick(rng, least, most) for _, least, most in question.symbols]
    rows = question.shapes + ([question.target] if question.target is not None else [])
    concrete = []
    for row, shape in enumerate(rows):
        if row in question.unknown:
            concrete.append([pick(rng, 0, UNBOUNDED) for _ in range(rng.randint(0, 6))])
        else:
            concrete.append([extent if isinstance(extent, int) else values[extent[1]] for extent in shape])
    if question.unknown and rng.random() < 0.5:  # more that fit
        row = question.unknown[0]
        other = rng.choice(concrete)
        concrete[row] = [pick(rng, 0, UNBOUNDED) for _ in range(rng.randint(0, 2))] + [rng.choice([e, e, 1]) for e in other]
    words = ['[' + ','.join(map(str, shape)) + ']' for shape in concrete]
    target = words.pop() if question.target is not None else '-'
    mapping = '-' if question.mapping is None else '[' + ','.join(map(str, question.mapping)) + ']'
    axis = '-' if question.axis is None else question.axis
    told = session.ask(f'shape {question.rule} {axis} {target} {mapping} - ' + ' '.join(words))
    result = json.loads(told.split()[1]) if told.startswith('shape') else None
    # The session's symbols: those of the question that are in shapes of known rank, then axes of unknown ranks.
    numbers = []
    for symbol in answer['symbols']:
        row = symbol['operand'] if symbol['operand'] != -2 else len(question.shapes)
        shape = concrete[row]
        place = symbol['axis']
        numbers.append(shape[place] if -len(shape) <= place < len(shape) else None)
    admitted = False
    unsure = False
    for found in answer['cases']:
        if found['fit'] == 'never' or not ranks_hold(found, concrete, question):
            continue
        if found['fit'] == 'must_check' and not found['axes']:
            admitted = unsure = True
            continue
        if any(value_of(a, numbers) != value_of(b, numbers) for a, b in found['when']):
            continue
        own = None if result is None else list(result)
        more = 0 if own is None else len(own) - len(found['axes'])
        if own is not None and (more < 0 or (more > 0 and found['openAxis'] is None)):
            continue
        holds = True
        for axis, each in enumerate(found['axes']):
            if axis == found['openAxis'] or each['mustCheck']:
                unsure |= each['mustCheck']
                continue
            place = axis + (more if found['openAxis'] == 0 else 0)
            matching = [a for a in each['alternatives']
                        if all(value_of(x, numbers) == value_of(y, numbers) for x, y in a['equal'])]
            holds &= bool(matching)
            if own is None or not matching:
                continue
            extent = own[place]
            if any(value_of(a['result'], numbers) != extent for a in matching):
                return 'unsound', f'{concrete}: axis {axis} has {extent}'
            if extent < each['least'] or (each['most'] is not None and extent > each['most']):
                return 'unsound', f'{concrete}: axis {axis} has {extent}'
        if found['fit'] == 'must_check' and holds:
            unsure = True
        admitted |= holds
    if result is not None and not admitted:
        return 'unsound', f'{concrete} fits: {result}'
    if result is None and admitted and not unsure and told.split()[1] != 'overflow':
        return 'unsound', f'{concrete} does not fit'
    if result is None and answer['fit'] == 'always':
        return 'unsound', f'{concrete} does not fit, but always'
    if not question.unknown and answer['fit'] == 'if' and len(answer['cases']) == 1:
        if asserted(answer['conditions'][0][1], concrete, question) != (result is not None):
            return 'unsound', f'{concrete}: the assert says otherwise'
    return None


class Operand:
    def __init__(self, shape):
        self.shape = shape


# Whether Broadloom's Python asserts hold for these shapes.
def asserted(program, concrete, question):
    scope = {'abcdef'[row]: Operand(shape) for row, shape in enumerate(concrete[:len(question.shapes)])}
    if question.target is not None:
        scope['target'] = concrete[-1]
    try:
        exec(program, scope)
    except AssertionError:
        return False
    return True


def ranks_hold(found, concrete, question):
    for condition in found['ranks']:
        row = condition['operand'] if condition['operand'] != -2 else len(question.shapes)
        rank = len(concrete[row])
        if rank != condition['rank'] and not (condition['orMore'] and rank > condition['rank']):
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--session', required=True)
    parser.add_argument('--count', type=int, default=3000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--samples', type=int, default=8)
    parser.add_argument('--show', type=int, default=10)
    parser.add_argument('--no-islpy', action='store_true')
    options = parser.parse_args()
    isl = None
    if not options.no_islpy:
        import islpy as isl
    session = Session(options.session)
    rng = random.Random(options.seed)
    counts = collections.defaultdict(collections.Counter)
    shown = 0
    for number in range(options.count):
        unknown_ranks = number % 8 == 7
        question = Question(rng, unknown_ranks)
        line = question.line()
        told = session.ask(line)
        if not told.startswith('symbolic '):
            print(f'{line}\n  {told}')
            counts[question.rule]['unsound'] += 1
            continue
        answer = json.loads(told[len('symbolic '):])
        wrong = None
        if isl is not None and not question.unknown:
            wrong = compare(isl, question, answer)
        if wrong is None or wrong[0] == 'loose':
            if question.rule != 'by_name':
                for _ in range(options.samples):
                    found = sample(rng, session, question, answer)
                    if found is not None:
                        wrong = found
                        break
        counts[question.rule]['asked'] += 1
        counts[question.rule][answer['fit']] += 1
        if wrong is not None:
            counts[question.rule][wrong[0]] += 1
            shown += 1
            if shown <= options.show:
                print(f'{wrong[0]}: {line}\n  {wrong[1]}\n  {told[:600]}')
    columns = ['asked', 'always', 'if', 'never', 'must_check', 'unsound', 'loose']
    print(f"{'rule':24}" + ''.join(f'{column:>11}' for column in columns))
    for rule in RULES:
        print(f'{rule:24}' + ''.join(f'{counts[rule][column]:11}' for column in columns))
    total = {column: sum(counts[rule][column] for rule in RULES) for column in columns}
    print(f"{'all':24}" + ''.join(f'{total[column]:11}' for column in columns))
    # Loose answers are true, and at most 1 % may be loose.
    failed = total['unsound'] + (1 if total['loose'] * 100 > total['asked'] else 0)
    print(f"{total['asked'] - total['unsound']} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
