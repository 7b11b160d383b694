# Other systems' answers about shapes with unknown extents, each as a class. A class has the package's name, the rules that the
# system has, and what it can be asked: ranges, names, unknown ranks, the least value of an unknown extent.
#
# An extent of a question is a number or (name, least, most), with most None for no end. `ask` gives ERROR, RANK (a result of
# unknown rank) or a list of extents: a number, a name, or (least, most).
import itertools

ERROR = 'error'
RANK = '*'


class Ask:
    def __init__(self, rule, shapes, axis=None, target=None, mapping=None):
        self.rule, self.shapes, self.axis, self.target, self.mapping = rule, shapes, axis, target, mapping

    # All shapes, the target last.
    def rows(self):
        return self.shapes + ([self.target] if self.target is not None else [])

    # The session's question.
    def line(self):
        def word(shape):
            return '*' if shape == RANK else '[' + ','.join(map(write, shape)) + ']'
        options = ['-' if self.axis is None else str(self.axis), '-' if self.target is None else word(self.target),
                   '-' if self.mapping is None else '[' + ','.join(map(str, self.mapping)) + ']']
        return ' '.join(['symbolic', self.rule, *options, *map(word, self.shapes)])


def write(each):
    if isinstance(each, int):
        return str(each)
    name, least, most = each
    written = f"{least}..{'' if most is None else most}"
    if not name:
        return '?' if written == '0..' else written
    return name if written == '0..' else f'{name}:{written}'


# A class with `share` is slow, and is asked one of so many questions.
class OpenVino:
    share = 1
    package = 'openvino'
    rules = ('none', 'numpy', 'pdpd', 'bidirectional', 'broadcast_numpy', 'explicit')
    ranges, names, least, unknown_ranks, most_operands = True, False, 0, True, 2

    def __init__(self):
        import numpy
        import openvino
        from openvino import opset13
        from openvino.utils.node_factory import NodeFactory
        self.np, self.ov, self.opset, self.factory = numpy, openvino, opset13, NodeFactory('opset1')

    def parameter(self, shape):
        if shape == RANK:
            partial = self.ov.PartialShape.dynamic()
        else:
            partial = self.ov.PartialShape([e if isinstance(e, int) else self.ov.Dimension(e[1], -1 if e[2] is None else e[2])
                                            for e in shape])
        return self.opset.parameter(partial, self.ov.Type.f32)

    def node(self, question):
        operands = [self.parameter(shape) for shape in question.shapes]
        if question.target is not None:
            # Broadcast's target is a tensor: the shape of another one, so that its extents can be unknown.
            target = self.opset.shape_of(self.parameter(question.target))
            mode = {'bidirectional': 'BIDIRECTIONAL', 'broadcast_numpy': 'NUMPY', 'explicit': 'EXPLICIT'}[question.rule]
            extra = []
            if question.rule == 'explicit':
                extra = [self.opset.constant(self.np.array(question.mapping, dtype=self.np.int64))]
            return self.opset.broadcast(operands[0], target, *extra, broadcast_spec=mode)
        attributes = {'auto_broadcast': question.rule}
        if question.rule == 'pdpd':
            attributes['auto_broadcast.auto_broadcast_axis'] = -1 if question.axis is None else question.axis
        return self.factory.create('Add', operands, attributes)

    def ask(self, question):
        try:
            result = self.node(question).output(0).get_partial_shape()
        except RuntimeError:
            return ERROR
        if result.rank.is_dynamic:
            return RANK
        return [d.get_length() if d.is_static else
                (d.get_min_length(), None if d.get_max_length() < 0 else d.get_max_length()) for d in result]


class Onnx:
    share = 1
    package = 'onnx'
    rules = ('onnx_multidirectional', 'onnx_unidirectional', 'bidirectional')
    ranges, names, least, unknown_ranks, most_operands = False, True, 0, True, 4

    def __init__(self):
        import onnx
        import onnx.shape_inference
        self.onnx = onnx

    def model(self, question):
        helper = self.onnx.helper
        rows = question.rows()
        dims = [None if shape == RANK else [e if isinstance(e, int) else e[0] or None for e in shape] for shape in rows]
        inputs = [helper.make_tensor_value_info(name, 1, shape) for name, shape in zip('abcd', dims)]
        output = helper.make_tensor_value_info('y', 1, None)
        names = [each.name for each in inputs]
        if question.rule == 'bidirectional':
            nodes = [helper.make_node('Shape', [names[1]], ['shape']), helper.make_node('Expand', [names[0], 'shape'], ['y'])]
        elif question.rule == 'onnx_unidirectional':
            nodes = [helper.make_node('PRelu', names, ['y'])]
        else:
            nodes = [helper.make_node('Add' if len(names) == 2 else 'Max', names, ['y'])]
        graph = helper.make_graph(nodes, 'g', inputs, [output])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 18)])

    def ask(self, question):
        try:
            model = self.onnx.shape_inference.infer_shapes(self.model(question), strict_mode=True, data_prop=True)
        except self.onnx.shape_inference.InferenceError:
            return ERROR
        kind = model.graph.output[0].type.tensor_type
        if not kind.HasField('shape'):
            return RANK
        return [d.dim_value if d.HasField('dim_value') else
                d.dim_param if d.dim_param and len(d.dim_param) == 1 else (0, None) for d in kind.shape.dim]


class OnnxShapeInference(Onnx):
    package = 'onnx-shape-inference'

    def __init__(self):
        super().__init__()
        import logging
        import onnx_ir
        import onnx_shape_inference
        logging.disable(logging.WARNING)
        self.ir, self.infer = onnx_ir, onnx_shape_inference.infer_symbolic_shapes

    def ask(self, question):
        model = self.ir.serde.deserialize_model(self.model(question))
        try:
            model = self.infer(model) or model
        except Exception:
            return ERROR
        shape = model.graph.outputs[0].shape
        if shape is None:
            return RANK
        return [d if isinstance(d, int) else d.value if d.value and len(d.value) == 1 else (0, None) for d in shape]


class Jax:
    share = 3
    package = 'jax'
    rules = ('numpy', 'broadcast_numpy', 'explicit')
    ranges, names, least, unknown_ranks, most_operands = True, True, 1, False, 3

    def __init__(self):
        import jax
        import jax.export
        self.jax = jax

    def ask(self, question, constraints=()):
        jax = self.jax
        # Constraints have the ranges of the names that they are about.
        named = {e[0]: e for shape in question.rows() for e in shape if not isinstance(e, int)
                 and not any(e[0] in constraint for constraint in constraints)}
        try:
            scope = jax.export.SymbolicScope(
                [f'{n} >= {least}' for n, least, _ in named.values() if least > 1] +
                [f'{n} <= {most}' for n, _, most in named.values() if most is not None] + list(constraints))
        except (ValueError, jax.errors.JAXTypeError):
            return ERROR

        def dims(shape):
            return jax.export.symbolic_shape(','.join(str(e) if isinstance(e, int) else e[0] for e in shape), scope=scope)

        def compute(*arrays):
            if question.rule == 'broadcast_numpy':
                return jax.numpy.broadcast_to(arrays[0], arrays[1].shape)
            if question.rule == 'explicit':
                return jax.lax.broadcast_in_dim(arrays[0], arrays[1].shape, question.mapping)
            return sum(arrays[1:], arrays[0])
        try:
            # The target is another array's shape.
            operands = [jax.ShapeDtypeStruct(dims(shape), 'float32') for shape in question.rows()]
            result = jax.eval_shape(compute, *operands).shape
        except (TypeError, ValueError, IndexError, jax.errors.JAXTypeError):
            return ERROR
        except Exception as error:
            if 'inconclusive' in str(error).lower():
                return ERROR
            raise
        return [d if isinstance(d, int) else str(d) for d in result]


# Axes by name, of sizes that are known, since xarray computes with arrays. A question is the session's line.
class Xarray:
    share = 1
    package = 'xarray'

    def __init__(self):
        import numpy
        import xarray
        self.np, self.xarray = numpy, xarray

    def ask(self, line):
        total = 0
        for shape in line.split(' ')[5:]:
            pairs = [each.split('=') for each in shape[1:-1].split(',') if each]
            array = self.np.zeros([int(size) for _, size in pairs])
            try:
                total = total + self.xarray.DataArray(array, dims=[name for name, _ in pairs])
            except ValueError:
                return ERROR
        return [list(pair) for pair in zip(total.dims, total.shape)]


def named_question(rng):
    names = [rng.sample('xyz', rng.randint(0, 3)) for _ in range(rng.randint(1, 3))]
    sizes = [[rng.choice([0, 1, 1, 2, 2, 2, 3]) for _ in own] for own in names]
    words = ['[' + ','.join(f'{name}={size}' for name, size in zip(*row)) + ']' for row in zip(names, sizes)]
    return 'symbolic by_name - - - ' + ' '.join(words)


# Whether the shapes fit with these values of the names, under NumPy's rule or to the target.
def fits(question, values):
    shapes = [[e if isinstance(e, int) else values[e[0]] for e in shape] for shape in question.rows()]
    rank = len(shapes[-1]) if question.target is not None else max(map(len, shapes))
    if any(len(shape) > rank for shape in shapes):
        return False
    for axis in range(-rank, 0):
        own = {shape[axis] for shape in shapes if -axis <= len(shape)} - {1}
        if question.target is not None:
            own |= {shapes[-1][axis]}
        if len(own) > 1:
            return False
    return True


# Values of the names under which the shapes fit.
def examples(question):
    named = {e[0]: e for shape in question.rows() for e in shape if not isinstance(e, int)}
    met = {e for shape in question.rows() for e in shape if isinstance(e, int)}
    met |= {end for _, *ends in named.values() for end in ends if end is not None}

    def candidates(least, most):
        wanted = [7, 8, *sorted(met, reverse=True), 1, 9]
        return list(dict.fromkeys(v for v in wanted if v >= least and (most is None or v <= most)))[:7]
    for chosen in itertools.product(*[candidates(least, most) for _, least, most in named.values()]):
        values = dict(zip(named, chosen))
        if fits(question, values):
            yield values


# One of them, different ones of at least 2 as far as possible: torch.export traces with it.
def example(question):
    def worth(values):
        return sum(v >= 2 for v in values.values()), len(set(values.values()))
    return max(itertools.islice(examples(question), 500), key=worth, default=None)


class Torch:
    share = 10
    package = 'torch'
    rules = ('numpy', 'broadcast_numpy')
    ranges, names, least, unknown_ranks, most_operands = True, True, 0, False, 3
    form = 'Dim'

    def __init__(self):
        import logging
        import torch
        logging.disable(logging.WARNING)
        self.torch = torch

    def ask(self, question):
        torch = self.torch
        values = example(question)
        if values is None:
            return ERROR
        named = {e[0]: e for shape in question.rows() for e in shape if not isinstance(e, int)}
        dims = {n: torch.export.Dim(n, min=least, max=most) for n, least, most in named.values()}
        arrays = tuple(torch.ones([e if isinstance(e, int) else values[e[0]] for e in shape]) for shape in question.rows())
        shapes = tuple({axis: dims[e[0]] for axis, e in enumerate(shape) if not isinstance(e, int)}
                       for shape in question.rows())

        class Module(torch.nn.Module):
            def forward(self, *inputs):
                if question.rule == 'broadcast_numpy':
                    return inputs[0].expand(inputs[1].shape)
                return sum(inputs[1:], inputs[0])
        try:
            program = torch.export.export(Module(), arrays, dynamic_shapes=(shapes,), strict=False)
        except Exception:
            return ERROR
        self.program = program
        known = {}
        places = [node for node in program.graph.nodes if node.op == 'placeholder']
        for place, shape in zip(places, question.rows()):
            for size, extent in zip(place.meta['val'].shape, shape):
                if not isinstance(extent, int):
                    known[str(size)] = extent[0]
        result = next(node for node in program.graph.nodes if node.op == 'output').args[0][0].meta['val'].shape
        return [d if isinstance(d, int) else known.get(str(d), (0, None)) for d in result]

    # Whether the last program takes these values of the names.
    def runs(self, question, values):
        arrays = [self.torch.ones([e if isinstance(e, int) else values[e[0]] for e in shape]) for shape in question.rows()]
        return ran(self.program, arrays)


def ran(program, inputs):
    try:
        program.module()(*inputs)
    except Exception:
        return False
    return True


# Sizes that are computed: torch knows no value of them, only the checks.
class TorchData(Torch):
    form = 'sizes from data'

    def ask(self, question, checks=()):
        torch = self.torch
        values = example(question)
        if values is None:
            return ERROR
        named = {e[0]: e for shape in question.rows() for e in shape if not isinstance(e, int)}
        program = exported(torch, question, named, values, checks)
        if isinstance(program, str):
            return ERROR
        self.program = program
        known = {}
        items = [node for node in program.graph.nodes if 'item' in str(node.target) or 'local_scalar' in str(node.target)]
        for node, name in zip(items, named):
            known[str(node.meta['val'])] = name
        result = next(node for node in program.graph.nodes if node.op == 'output').args[0][0].meta['val'].shape
        return [int(d) if str(d).isdigit() else known.get(str(d), (0, None)) for d in result]

    def runs(self, question, values):
        names = dict.fromkeys(e[0] for shape in question.rows() for e in shape if not isinstance(e, int))
        return ran(self.program, [self.torch.tensor(values[name]) for name in names])


# The exported program, or the error's text. The module makes tensors of sizes that it reads from its inputs, and then runs
# the checks, which name the tensors a, b, c and target.
def exported(torch, question, named, values, checks):
    class Module(torch.nn.Module):
        def forward(self, *inputs):
            sizes = {name: value.item() for name, value in zip(named, inputs)}
            for name, least, most in named.values():
                torch._check(sizes[name] >= least)
                if most is not None:
                    torch._check(sizes[name] <= most)
            arrays = [torch.ones([e if isinstance(e, int) else sizes[e[0]] for e in shape]) for shape in question.rows()]
            scope = {'torch': torch, **dict(zip('abc', arrays))}
            if question.target is not None:
                scope['target'] = arrays[-1].shape
            for line in checks:
                exec(line, scope)
            if question.rule == 'broadcast_numpy':
                return arrays[0].expand(arrays[1].shape)
            return sum(arrays[1:], arrays[0])
    try:
        return torch.export.export(Module(), tuple(torch.tensor(values[n]) for n in named), strict=False)
    except Exception as error:
        return f'{type(error).__name__}: {error}'
