# The rows of docs/divergences.md about shapes with unknown extents: which systems answer otherwise, under which rules, in which
# way (the verdicts of systems.py), and for which shapes. Each answer that differs must be in a row, each row must have a
# recorded answer, and the document has just these titles.
import re

RANK = '*'
TARGET_RULES = ('bidirectional', 'broadcast_numpy', 'explicit')


class Question:
    def __init__(self, line):
        _, self.rule, axis, target, mapping, *shapes = line.split(' ')
        self.axis = None if axis == '-' else int(axis)
        self.target = None if target == '-' else read(target)
        self.mapping = None if mapping == '-' else read(mapping)
        self.shapes = [read(shape) for shape in shapes]
        self.rows = self.shapes + ([] if self.target is None else [self.target])

    def has_unknown_rank(self):
        return RANK in self.rows

    # Where B begins on A under PDPD.
    def start(self):
        a, b = self.shapes
        return len(a) - len(b) if self.axis in (None, -1) else self.axis

    # The pairs of extents that face each other: of A and B, or of the target and the data.
    def pairs(self):
        if self.has_unknown_rank() or len(self.rows) != 2:
            return []
        large, small = (self.target, self.shapes[0]) if self.target is not None else self.shapes
        if self.rule == 'explicit':
            places = self.mapping if len(self.mapping) == len(small) else []
        elif self.rule == 'pdpd':
            places = [self.start() + i for i in range(len(small))]
        else:
            places = [len(large) - len(small) + i for i in range(len(small))]
        return [(large[place], extent) for place, extent in zip(places, small) if 0 <= place < len(large)]

    def names(self):
        return [extent[0] for row in self.rows if row != RANK for extent in row if not isinstance(extent, int) and extent[0]]


# Extents are numbers or (name, least, most).
def read(word):
    return RANK if word == RANK else [extent(each) for each in word[1:-1].split(',') if each]


def extent(word):
    name, least, most = re.fullmatch(r'([A-Z]?)\??:?(?:(\d+)(?:\.\.(\d*))?)?', word).groups()
    if least is None:
        return name, 0, None
    if '..' not in word:
        return int(least)
    return name, int(least), int(most) if most else None


def unknown(each):
    return not isinstance(each, int)


def may_be(each, value):
    return each == value if isinstance(each, int) else each[1] <= value and (each[2] is None or value <= each[2])


def may_differ(each, value):
    return unknown(each) or each != value


def has_unknown(q):
    return any(unknown(each) for row in q.rows if row != RANK for each in row)


# (title, systems, rules, verdicts, for which questions)
ROWS = [
    ('PDPD: an unknown rank', ['openvino'], ['pdpd'], ['less', 'accepts'], Question.has_unknown_rank),
    ('PDPD: trailing extents of B that have no place on A and may be 1', ['openvino'], ['pdpd'], ['refuses'],
     lambda q: q.start() + len(q.shapes[1]) > len(q.shapes[0])),
    ('PDPD: A is 0, and B is or may be 1', ['openvino'], ['pdpd'], ['refuses'],
     lambda q: any(a == 0 and not may_be(b, 0) and may_be(b, 1) for a, b in q.pairs())),
    ('PDPD: A may be 1, and B is not', ['openvino'], ['pdpd'], ['less', 'accepts', 'wrong'],
     lambda q: any(may_be(a, 1) and may_differ(b, 1) for a, b in q.pairs())),
    ('Broadcast-3, modes numpy and explicit: an unknown extent', ['openvino'], ['broadcast_numpy', 'explicit'],
     ['less', 'accepts'], lambda q: not q.has_unknown_rank() and has_unknown(q) and
     len(set(q.mapping or [])) == len(q.mapping or [])),
    ('Broadcast-3, mode explicit: an unknown rank', ['openvino'], ['explicit'], ['less', 'accepts'], Question.has_unknown_rank),
    ('Broadcast-3, mode explicit: an axis named twice', ['openvino'], ['explicit'], ['accepts'],
     lambda q: len(set(q.mapping)) < len(q.mapping)),
    ('PRelu: a slope with unknown or other extents', ['onnx', 'onnx-shape-inference'], ['onnx_unidirectional'],
     ['less', 'accepts', 'wrong'], lambda q: True),
    ('an unknown rank among shapes that conflict', ['onnx'], ['onnx_multidirectional'], ['accepts'], Question.has_unknown_rank),
    ('a name on several axes', ['onnx'], ['onnx_multidirectional', 'bidirectional'], ['less', 'accepts'],
     lambda q: len(set(q.names())) < len(q.names())),
    ('two unknown extents, taken for the first', ['onnx-shape-inference'], ['onnx_multidirectional', 'bidirectional'],
     ['wrong', 'less'], lambda q: has_unknown(q)),
    ('an unknown rank, taken for the other shape', ['onnx-shape-inference'], ['onnx_multidirectional', 'bidirectional'],
     ['wrong', 'less', 'accepts'], Question.has_unknown_rank),
    ('shapes that conflict', ['onnx-shape-inference'], ['onnx_multidirectional', 'bidirectional'], ['accepts'], lambda q: True),
    ('a name with another name, or with a number other than 1', ['jax'], ['numpy', 'broadcast_numpy', 'explicit'], ['refuses'],
     has_unknown),
    ('an unsorted mapping', ['jax'], ['explicit'], ['accepts'], lambda q: q.mapping != sorted(q.mapping)),
    ('a Dim with another Dim, or with a number other than 1', ['torch'], ['numpy', 'broadcast_numpy'], ['refuses', 'assumes', 'less'],
     has_unknown),
    ('a Dim of 1 to 2, taken for 2', ['torch'], ['numpy', 'broadcast_numpy'], ['wrong'],
     lambda q: any(unknown(each) and each[1] <= 1 and each[2] == 2 for row in q.rows if row != RANK for each in row)),
    ('sizes from data', ['torch'], ['numpy', 'broadcast_numpy'], ['assumes', 'less', 'refuses'], has_unknown),
]
TITLES = [title for title, *_ in ROWS]


# The title of the first row with such an answer, or None.
def title_of(system, verdict, line):
    question = Question(line)
    name = system.split(' ')[0]
    for title, systems, rules, verdicts, shows in ROWS:
        if title == 'sizes from data' and 'data' not in system or title.startswith('a Dim ') and 'Dim' not in system:
            continue
        if name in systems and question.rule in rules and verdict in verdicts and shows(question):
            return title
    return None


# The titles of the document's rows.
def documented(text):
    section = text.split('## Shapes with unknown extents\n')[1].split('\n## ')[0]
    table = section.split('| case | ')[1].split('\n')[2:]
    return [line.split('|')[1].strip() for line in table if line.startswith('| ')]
