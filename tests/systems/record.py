"""Runs the systems named on the command line and prints a record for each error text: one JSON object a line.

Each case is a few lines of code that fail, and what its text must be read as: the rule, and the shapes that the code has
(not those that the text has). A case whose text has no shapes has sizes, or nothing.
"""

import importlib.metadata
import json
import linecache
import re
import sys
import traceback
import warnings

PAIRS = [((8, 3), (8,)), ((2, 3), (4,)), ((4, 1, 6), (4, 2, 5)), ((3,), (2,)), ((2, 1, 3), (3, 3, 1)), ((0, 3), (2, 3))]
# Compatible, but the first does not have the result's shape.
GROWING = [((2, 3), (4, 2, 3)), ((8, 1), (8, 3)), ((), (3,))]
# Shapes that do not stretch to the target.
TARGETS = [((8, 3), (8, 4)), ((3, 1, 5), (3, 4, 6)), ((2,), (3,)), ((1, 2), (3, 4))]


def shape(role, extents):
    return {"role": role, "shape": list(extents)}


def operands(*shapes):
    return [shape("operand", extents) for extents in shapes]


def last_conflict(*shapes):
    """The extents and the axis of the last axis at which two shapes conflict, as PyTorch counts it."""
    a, b = shapes
    rank = max(len(a), len(b))
    for axis in reversed(range(rank)):
        n, m = (s[axis - rank + len(s)] if axis - rank + len(s) >= 0 else 1 for s in (a, b))
        if n != m and 1 not in (n, m):
            return {"sizes": [n, m], "axis": axis}
    raise AssertionError(shapes)


def case(code, rule, text_shapes=None, partial=None, expressions=None, printed_by=None):
    return {
        "code": code,
        "rule": rule,
        "text_shapes": text_shapes,
        "partial": partial,
        "expressions": expressions,
        "printed_by": printed_by,
    }


def binary(make, statements, rule="numpy", pairs=PAIRS, partial=False, printed_by=None):
    """Each statement with each pair; `make` writes an array of a shape, and the operands are x and y."""
    for statement, (left, right) in ((s, p) for s in statements for p in pairs):
        code = f"x = {make(left)}\ny = {make(right)}\n{statement}"
        if partial:
            yield case(code, rule, None, last_conflict(left, right), ["x", "y"], printed_by)
        else:
            yield case(code, rule, operands(left, right), None, ["x", "y"], printed_by)


def stretch(make, statement, pairs=TARGETS, rule="broadcast_numpy", roles=("value", "target"), printed_by=None):
    """A value x that must take a target shape; the text has them in the order of `roles`."""
    for value, target in pairs:
        code = statement.format(x=make(value), target=target, y=make(target))
        by_role = {"value": value, "target": target}
        yield case(code, rule, [shape(role, by_role[role]) for role in roles], None, None, printed_by)


def numpy_cases():
    ones = lambda s: f"np.ones({s})"
    yield from binary(ones, ["x + y", "z = x - y", "np.multiply(x, y)", "np.maximum(x, y)", "mask = x < y", "print(x / y)", "return_value = x ** y"])
    yield case("x = np.ones((8, 3))\nx - x.mean(axis=1)", "numpy", operands((8, 3), (8,)), None, ["x", "x.mean(axis=1)"])
    yield case("x = np.ones((8, 3))\n(x - x.mean(axis=1)) / x.std(axis=1)", "numpy", operands((8, 3), (8,)), None, ["x", "x.mean(axis=1)"])
    for a, b in [((2, 3), (2,)), ((4, 5), (4,))]:
        roles = [*operands(a, b), shape("output", a)]
        yield case(f"x = np.ones({a})\ny = np.ones({b})\nx += y", "numpy", roles, None, ["x", "y", "x"])
    yield case("x = np.ones((8, 3))\ny = np.ones(3)\nout = np.ones((8, 2))\nnp.add(x, y, out=out)", "numpy", [*operands((8, 3), (3,)), shape("output", (8, 2))], None, ["x", "y", "out"])
    for a, b in GROWING:
        yield case(f"x = np.ones({a})\nx += np.ones({b})" if a else f"x = np.zeros(())\nnp.add(x, np.ones({b}), out=x)", "broadcast_numpy", [shape("output", a), shape("broadcast", b)])
    yield case("c = np.ones((8, 3)) > 0\nx = np.ones(8)\ny = np.ones((8, 3))\nnp.where(c, x, y)", "numpy", operands((8, 3), (8,), (8, 3)), None, ["c", "x", "y"])
    yield case("x = np.ones((8, 3))\nnp.clip(x, np.ones(8), 9)", "numpy", operands((8, 3), (8,), ()))
    yield from stretch(ones, "x = {x}\nnp.broadcast_to(x, {target})")
    yield from stretch(ones, "x = {x}\ny = {y}\ny[...] = x")
    yield from stretch(ones, "x = {x}\ny = {y}\nnp.copyto(y, x)")
    yield from binary(ones, ["np.broadcast_arrays(x, y)", "np.broadcast(x, y)"])
    yield from (case(f"np.broadcast_shapes({a}, {b})", "numpy", operands(a, b)) for a, b in PAIRS)
    yield case("x = np.ones((8, 3))\nx[[0, 1]] = np.ones(8)", "broadcast_numpy", [shape("value", (8,)), shape("target", (2, 3))])
    yield case("x = np.ones((8, 3))\nx[np.arange(3), np.arange(2)]", "numpy", operands((3,), (2,)))
    yield case("np.repeat(np.ones((8, 3)), [1, 2], axis=1)", "broadcast_numpy", [shape("target", (3,)), shape("value", (2,))])
    yield case("x = np.ones((2, 3))\nx @ x", "core dimensions", None, {"sizes": [2, 3], "axis": 0})
    yield case("x = np.ones((2, 3, 4))\nx @ np.ones((3, 4, 5))", "matmul", operands((2, 3, 4), (3, 4, 5)))
    yield case("x = np.ones((8, 3))\nx[x > 0] = np.ones(8)", "none", None, {"sizes": [8, 24]})


def torch_cases():
    ones = lambda s: f"torch.ones({s})"
    pairs = [p for p in PAIRS if () not in p]
    yield from binary(ones, ["x + y", "loss = ((x - y) ** 2).mean()", "torch.mul(x, y)", "x.div(y)", "torch.maximum(x, y)", "mask = x < y"], pairs=pairs, partial=True)
    for a, b in GROWING:
        yield case(f"x = torch.ones({a})\nx += torch.ones({b})", "broadcast_numpy", [shape("output", a), shape("broadcast", b)])
    yield from stretch(ones, "x = {x}\nx.expand({target})", roles=("target", "value"))
    yield from stretch(ones, "x = {x}\ntorch.broadcast_to(x, {target})", roles=("target", "value"))
    # An assignment drops leading axes of extent 1 before it prints the shape.
    yield from stretch(ones, "x = {x}\ny = {y}\ny[:] = x", TARGETS[:3], roles=("target", "value"))
    yield case("x = torch.ones(8, 3)\nx.expand(3)", "broadcast_numpy", [shape("value", (8, 3)), shape("target", (3,))])
    yield case("x = torch.ones(8, 3)\nx[[0, 1]] = torch.ones(8)", "broadcast_numpy", [shape("value", (8,)), shape("target", (2, 3))])
    yield case("torch.ones(8, 3)[[0, 1, 2], [0, 1]]", "numpy", operands((3,), (2,)))
    for a, b in [((32,), (32, 1)), ((), (1,)), ((16, 4), (16,))]:
        if a != (16, 4):
            for loss in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"):
                yield case(f"x = torch.ones({a})\ny = torch.ones({b})\ntorch.nn.functional.{loss}(x, y)", "numpy", [shape("target operand", b), shape("input operand", a)])
        yield case(f"x = torch.ones({a})\ny = torch.ones({b})\ntorch.nn.functional.binary_cross_entropy_with_logits(x, y)", "none", [shape("target operand", b), shape("input operand", a)])
        yield case(f"x = torch.ones({a})\ny = torch.ones({b})\ntorch.nn.functional.binary_cross_entropy(x, y)", "none", [shape("target operand", b), shape("input operand", a)])
    yield case("torch.broadcast_shapes((8, 3), (8,))", "numpy", [shape("operand", (8,)), shape("broadcast", (8, 3))])
    yield case("x = torch.ones(2, 3, 4, device='meta')\ny = torch.ones(2, 4, device='meta')\nx + y", "numpy", [shape("operand", (2, 4)), shape("broadcast", (2, 3, 4))])
    yield case("import torch._refs as refs\nrefs.add(torch.ones(8, 3), torch.ones(8))", "numpy", [shape("operand", (8,)), shape("broadcast", (8, 3))])
    compiled = "torch._dynamo.reset()\ndef f(x, y):\n    return x + y\ntorch.compile(f, backend='eager')(torch.ones({}), torch.ones({}))"
    yield from (case(compiled.format(a, b), "numpy", operands(a, b)) for a, b in [((8, 3), (8,)), ((2, 3, 4), (2, 4))])
    yield case("x = torch.ones(2, 3)\nx @ x", "matmul", operands((2, 3), (2, 3)))
    yield case("torch.where(torch.ones(8, 3) > 0, torch.ones(8), torch.ones(3))", "numpy", None, {"sizes": [3, 8], "axis": 1})


def tensorflow_cases():
    ones = lambda s: f"tf.ones({s})"
    yield from binary(ones, ["x + y", "tf.multiply(x, y)", "x / y", "tf.maximum(x, y)", "tf.equal(x, y)", "tf.math.squared_difference(x, y)"])
    graph = "f = tf.function(lambda x, y: x * y)\nf(tf.ones({}), tf.ones({}))"
    yield from (case(graph.format(a, b), "numpy", operands(a, b)) for a, b in PAIRS)
    unknown = "f = tf.function(lambda x, y: x * y, input_signature=[tf.TensorSpec([None, 128, 12]), tf.TensorSpec([1, 1, 3])])\nf(tf.ones([2, 128, 12]), tf.ones([1, 1, 3]))"
    yield case(unknown, "numpy", operands(("?", 128, 12), (1, 1, 3)))
    late = "f = tf.function(lambda x, y: x * y, input_signature=[tf.TensorSpec(None), tf.TensorSpec(None)])\nf(tf.ones({}), tf.ones({}))"
    yield from (case(late.format(a, b), "numpy", operands(a, b)) for a, b in PAIRS)
    yield from stretch(ones, "tf.broadcast_to({x}, {target})")
    yield case("tf.broadcast_to(tf.ones([2, 4]), (1, 2, 1, 4))", "broadcast_numpy", [shape("value", (2, 4)), shape("target", (1, 2, 1, 4))])
    yield case("tf.where(tf.ones([2, 5]) > 0, tf.ones([5]), tf.ones([4, 1]))", "numpy", operands((2, 5), (5,), (4, 1)))
    yield case("tf.add_n([tf.ones([9, 10]), tf.ones([1, 10])])", "none", operands((9, 10), (1, 10)))
    yield case("tf.broadcast_static_shape(tf.TensorShape([8, 3]), tf.TensorShape([8]))", "numpy", operands((8, 3), (8,)))
    yield case("tf.TensorShape([9, 10]).merge_with([1, 10])", "none", operands((9, 10), (1, 10)))
    yield case("v = tf.Variable(tf.ones([8, 3]))\nv.assign_add(tf.ones([8]))", "none", [shape("output", (8, 3)), shape("value", (8,))])
    yield case("v = tf.Variable(tf.ones([8, 3]))\nv.assign(tf.ones([8]))", "none", [shape("output", (8, 3)), shape("value", (8,))])
    yield case("tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))", "matmul", operands((2, 3), (2, 3)))


def keras_cases():
    yield case("keras.layers.Add()([keras.Input((3,)), keras.Input((4,))])", "numpy", operands((3,), (4,)))
    yield case("keras.layers.Multiply()([keras.Input((2, 3)), keras.Input((4, 3))])", "numpy", operands((2, 3), (4, 3)))
    yield case("keras.ops.add(keras.Input((3,)), keras.Input((4,)))", "numpy", operands(("?", 3), ("?", 4)))
    yield case("keras.ops.multiply(keras.Input((2, 3)), keras.Input((5, 3)))", "numpy", operands(("?", 2, 3), ("?", 5, 3)))
    yield case("keras.losses.CategoricalCrossentropy()(tf.ones([8, 3]), tf.ones([8, 4]))", "none", [shape("target operand", (8, 3)), shape("input operand", (8, 4))])
    yield case("keras.losses.MeanSquaredError()(tf.ones([8, 3]), tf.ones([8, 4]))", "numpy", operands((8, 3), (8, 4)), None, None, "tensorflow")
    yield case("keras.losses.BinaryCrossentropy()(tf.ones([8, 1]), tf.ones([8, 4]))", "none", [shape("target operand", (8, 1)), shape("input operand", (8, 4))])


def jax_cases():
    ones = lambda s: f"jnp.ones({s})"
    yield from binary(ones, ["x + y", "jnp.multiply(x, y)", "x - y", "jnp.maximum(x, y)", "x ** y", "jnp.where(x > 0, y, x)"][:5])
    jitted = "f = jax.jit(lambda x, y: x * y)\nf(jnp.ones({}), jnp.ones({}))"
    yield from (case(jitted.format(a, b), "numpy", operands(a, b)) for a, b in PAIRS)
    yield from stretch(ones, "jnp.broadcast_to({x}, {target})")
    yield case("jax.lax.add(jnp.ones((9, 2)), jnp.ones(2))", "none")
    yield case("jax.lax.add(jnp.ones((4, 3)), jnp.ones((4, 5)))", "numpy", operands((4, 3), (4, 5)))
    yield case("with jax.numpy_rank_promotion('raise'):\n    jnp.ones((2, 3)) + jnp.ones(3)", "numpy", operands((2, 3), (3,)))
    yield case("with jax.numpy_rank_promotion('warn'):\n    jnp.ones((2, 3)) + jnp.ones(3)", "numpy", operands((2, 3), (3,)))
    yield case("jax.lax.broadcast_in_dim(jnp.ones(2), (3, 4), (0,))", "explicit", [shape("value", (2,)), shape("target", (3, 4))])


def paddle_cases():
    ones = lambda s: f"paddle.ones({list(s)})"
    yield from binary(ones, ["x + y", "paddle.multiply(x, y)", "paddle.equal(x, y)", "paddle.maximum(x, y)"], pairs=PAIRS[:5])
    yield case("paddle.expand(paddle.ones([8, 3]), [8, 4])", "broadcast_numpy", None, {"sizes": [3, 4]})
    yield case("x = paddle.ones([8, 1])\nx.add_(paddle.ones([8, 3]))", "broadcast_numpy", [shape("broadcast", (8, 3)), shape("output", (8, 1))])
    yield case("x = paddle.ones([8, 3])\nx[:] = paddle.ones([8])", "broadcast_numpy", [shape("value", (8,)), shape("target", (8, 3))])
    yield case("paddle.broadcast_tensors([paddle.ones([8, 3]), paddle.ones([8])])", "numpy", None, {"sizes": [8, 3]})


def dask_cases():
    yield from binary(lambda s: f"da.ones({s})", ["x + y", "da.multiply(x, y)", "x < y"], pairs=[p for p in PAIRS if p != ((3,), (2,))])
    yield from binary(lambda s: f"da.ones({s})", ["x + y"], pairs=[((3,), (2,))])
    yield from stretch(lambda s: f"da.ones({s})", "da.broadcast_to({x}, {target})")
    yield case("u = da.ones(10)[da.ones(10) > 0]\nu + da.ones(3)", "numpy", operands(("?",), (3,)))
    yield case("x = da.ones((8, 3))\nx[:] = da.ones(8)", "broadcast_numpy", [shape("value", (8,)), shape("target", (8, 3))])


def xarray_cases():
    for left, right in [(2, 4), (3, 5)]:
        setup = f"p = xr.DataArray(np.ones(({left}, 3)), dims=('x', 'y'))\nq = xr.DataArray(np.ones({right}), dims='x')\n"
        yield case(setup + "p + q", "by_name", None, {"sizes": [left, right]})
        yield case(setup + "p.variable + q.variable", "by_name", None, {"sizes": [left, right]})
        yield case(setup + "xr.Dataset({'a': p, 'b': q})", "by_name", None, {"sizes": [left, right]})
    yield case("xr.DataArray(np.ones((2, 3)), dims=('x', 'y'), coords={'x': [1, 2, 3]})", "by_name", None, {"sizes": [2, 3]})


def pandas_cases():
    yield case("pd.DataFrame(np.ones((4, 3))) + np.ones(4)", "none", None, {"sizes": [3, 4]})
    for a, b in [((4, 3), (2, 3)), ((5, 2), (2, 2))]:
        yield case(f"df = pd.DataFrame(np.ones({a}))\ndf + np.ones({b})", "none", [shape("target", a), shape("value", b)])
    yield case("x = pd.Series([1, 2, 3])\ny = np.ones(2)\nx + y", "numpy", operands((3,), (2,)), None, None, "numpy")
    yield case("pd.Series([1, 2, 3]) == np.ones(2)", "none", operands((3,), (2,)))
    yield case("pd.DataFrame(np.ones((4, 3)), columns=['a', 'b'])", "none", [shape("value", (4, 3)), shape("target", (4, 2))])
    yield case("df = pd.DataFrame(np.ones((4, 3)))\ndf['z'] = np.ones(3)", "none", None, {"sizes": [3, 4]})


def scipy_cases():
    for a, b in [((8, 3), (8, 4)), ((8, 3), (8,))]:
        yield case(f"x = sp.csr_array(np.ones({a}))\ny = np.ones({b})\nx * y", "numpy", operands(a, b))
    yield case("st.norm.pdf(np.ones(3), np.ones(2))", "numpy", operands((3,), (2,)), None, None, "numpy")
    yield case("st.norm.rvs(np.ones(3), size=(2,))", "broadcast_numpy", [shape("target", (2,)), shape("broadcast", (3,))])
    yield case("st.ttest_ind(np.ones((3, 4)), np.ones((5, 3)))", "numpy")


def sympy_cases():
    for a, b in [((2, 3), (3, 2)), ((4, 1), (1, 4))]:
        yield case(f"sympy.ones{a} + sympy.ones{b}", "none", operands(a, b))
        yield case(f"sympy.ones{a}.multiply_elementwise(sympy.ones{b})", "none", operands(a, b))


def awkward_cases():
    yield case("ak.Array(np.ones((8, 3))) + ak.Array(np.ones(8))", "nested", None, {"sizes": [3, 8]})
    yield case("ak.Array([[1, 2], [3]]) + ak.Array([1, 2, 3])", "nested", None, {"sizes": [2, 3]})
    yield case("ak.Array([[1, 2], [3]]) + ak.Array([[1], [3]])", "nested")


def einops_cases():
    yield case("einops.rearrange(np.ones((8, 3)), '(h w) c -> h w c', h=3)", "by_name", operands((8, 3)))
    yield case("einops.rearrange(np.ones((8, 3)), 'h w c -> h w c')", "by_name", operands((8, 3)))


def einx_cases():
    yield case("einx.add('a b, a c -> a b c', np.ones((3, 4)), np.ones((2, 5)))", "by_name", operands((3, 4), (2, 5)))
    yield case("einx.add('a b, b', np.ones((8, 3)), np.ones(8))", "by_name", operands((8, 3), (8,)))


def numexpr_cases():
    for a, b in PAIRS[:4]:
        yield case(f"x = np.ones({a})\ny = np.ones({b})\nnumexpr.evaluate('x + y')", "numpy", operands(a, b), None, None, "numpy")


def blosc2_cases():
    for a, b in PAIRS[:4]:
        yield case(f"x = blosc2.asarray(np.ones({a}))\ny = blosc2.asarray(np.ones({b}))\n(x + y).compute()", "numpy", operands(a, b), None, None, "numpy")


def cubed_cases():
    yield from binary(lambda s: f"xp.ones({s})", ["xp.add(x, y)", "x * y"], pairs=PAIRS[:3], printed_by="numpy")
    yield from stretch(lambda s: f"xp.ones({s})", "xp.broadcast_to({x}, {target})")


def sparse_cases():
    yield from binary(lambda s: f"sparse.COO(np.ones({s}))", ["x + y", "x * y"], pairs=[((8, 3), (8,)), ((2, 3), (4,)), ((4, 1, 6), (4, 2, 5))])


def cvxpy_cases():
    yield from binary(lambda s: f"cp.Variable({s})", ["x + y", "cp.multiply(x, y)"], pairs=[((10, 2), (3,)), ((10, 2), (2, 10))], printed_by="numpy")


def numba_cases():
    yield case("@numba.njit\ndef f(x, y):\n    return x + y\nf(np.ones((8, 3)), np.ones(8))", "numpy")
    yield case("@numba.njit\ndef f(x, y):\n    x[:] = y\nf(np.ones(3), np.ones(2))", "broadcast_numpy", [shape("target", (3,)), shape("value", (2,))])
    yield case("@numba.vectorize(['f8(f8, f8)'])\ndef f(x, y):\n    return x + y\nf(np.ones((8, 3)), np.ones(8))", "numpy", operands((8, 3), (8,)), None, None, "numpy")


def astropy_cases():
    yield from binary(lambda s: f"np.ones({s}) * u.m", ["x + y"], pairs=PAIRS[:3], printed_by="numpy")
    yield case("check_broadcast((8, 3), (8,))", "numpy", operands((8, 3), (8,)))


def pytensor_cases():
    yield case("(pt.as_tensor(np.ones((8, 3))) + pt.as_tensor(np.ones(8))).eval()", "numpy", operands((8, 3), (1, 8)))
    yield case("pt.broadcast_to(pt.as_tensor(np.ones((8, 3))), (8, 4)).eval()", "broadcast_numpy", [shape("value", (8, 3)), shape("target", (8, 4))])
    yield case("x, y = pt.matrix('x'), pt.vector('y')\nf = pytensor.function([x, y], x + y, mode='FAST_COMPILE')\nf(np.ones((8, 3)), np.ones(1))", "numpy")


def tinygrad_cases():
    ones = lambda s: f"Tensor.ones({s})"
    for a, b in PAIRS[:5]:
        yield case(f"x = {ones(a)}\ny = {ones(b)}\n(x + y).realize()", "numpy", operands(a, b))
    yield from stretch(ones, "{x}.expand({target})")
    yield case("Tensor.ones(8, 3).expand(3)", "broadcast_numpy", [shape("value", (8, 3)), shape("target", (1, 3))])


def mlx_cases():
    ones = lambda s: f"mx.ones({s})"
    yield from binary(ones, ["x + y", "mx.multiply(x, y)", "x < y", "mx.maximum(x, y)"])
    yield from (case(f"mx.broadcast_shapes({a}, {b})", "numpy", operands(a, b)) for a, b in PAIRS)


def onnx_cases():
    for op, a, b, rule in [("Add", (8, 3), (8,), "onnx_multidirectional"), ("PRelu", (4, 3), (2, 3), "onnx_unidirectional")]:
        yield case(f"infer(model('{op}', {a}, {b}))", rule)
    yield case("infer(model('Add', (8, 3), (3,), out=(8, 4)))", "onnx_multidirectional", None, {"sizes": [3, 4], "axis": 1})


def onnxruntime_cases():
    for op in ("Add", "Mul", "Pow", "Equal"):
        for a, b in [((8, 3), (8,)), ((2, 3), (4,)), ((1, 25, 34), (1, 26, 34))]:
            sizes = last_conflict(a, b)["sizes"]
            yield case(f"run(model('{op}', {a}, {b}, dynamic=True), {a}, {b})", "onnx_multidirectional", None, {"sizes": sorted(sizes), "sorted": True})
    yield case("run(model('Mul', (2, 0, 3), (2, 4, 3), dynamic=True), (2, 0, 3), (2, 4, 3))", "onnx_multidirectional", None, {"sizes": [0, 4]})
    yield case("run(model('Add', (8, 3), (8,)), (8, 3), (8,))", "onnx_multidirectional")


def openvino_cases():
    make = lambda s: f"ops.parameter(list({s}), np.float32)"
    for function in ("add", "multiply", "maximum", "less"):
        yield from binary(make, [f"ops.{function}(x, y)"], pairs=PAIRS[:5])
    for a, b in [((2, 3), (1, 3)), ((2, 3), (3,))]:
        yield case(f"x = {make(a)}\ny = {make(b)}\nops.add(x, y, auto_broadcast='NONE')", "none", operands(a, b))
    for mode, rule, target in [("NUMPY", "broadcast_numpy", [4, 2]), ("BIDIRECTIONAL", "bidirectional", [4, 2])]:
        yield case(f"ops.broadcast({make((4, 3))}, ops.constant(np.array({target})), broadcast_spec='{mode}')", rule, [shape("value", (4, 3))])
    yield case(f"ops.broadcast({make((16,))}, ops.constant(np.array([3, 16])), ops.constant(np.array([0])), 'EXPLICIT')", "explicit", [shape("value", (16,))])
    yield case(f"x = {make((-1, 3))}\ny = {make((2, 4))}\nops.add(x, y)", "numpy", operands(("?", 3), (2, 4)), None, ["x", "y"])


MODELS = '''
from onnx import TensorProto, helper
def model(op, *shapes, out=None, dynamic=False):
    infos = [helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, [None] * len(s) if dynamic else s) for i, s in enumerate(shapes)]
    kind = TensorProto.BOOL if op == "Equal" else TensorProto.FLOAT
    node = helper.make_node(op, [i.name for i in infos], ["y"], name="n")
    result = helper.make_tensor_value_info("y", kind, out)
    graph = helper.make_graph([node], "g", infos, [result])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
def infer(m):
    return onnx.shape_inference.infer_shapes(m, strict_mode=True, check_type=True)
def run(m, *shapes):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(m.SerializeToString(), options)
    return session.run(None, {f"x{i}": np.ones(s, np.float32) for i, s in enumerate(shapes)})
'''

# Each system: its package, what its code imports, its cases.
SYSTEMS = {
    "numpy": ("numpy", "", numpy_cases),
    "pytorch": ("torch", "import torch", torch_cases),
    "tensorflow": ("tensorflow-cpu", "import tensorflow as tf", tensorflow_cases),
    "keras": ("keras", "import keras, tensorflow as tf", keras_cases),
    "jax": ("jax", "import jax, jax.numpy as jnp", jax_cases),
    "paddle": ("paddlepaddle", "import paddle", paddle_cases),
    "dask": ("dask", "import dask.array as da", dask_cases),
    "xarray": ("xarray", "import xarray as xr", xarray_cases),
    "pandas": ("pandas", "import pandas as pd", pandas_cases),
    "scipy": ("scipy", "import scipy.sparse as sp, scipy.stats as st", scipy_cases),
    "sympy": ("sympy", "import sympy", sympy_cases),
    "awkward": ("awkward", "import awkward as ak", awkward_cases),
    "einops": ("einops", "import einops", einops_cases),
    "einx": ("einx", "import einx", einx_cases),
    "numexpr": ("numexpr", "import numexpr", numexpr_cases),
    "blosc2": ("blosc2", "import blosc2", blosc2_cases),
    "cubed": ("cubed", "import cubed.array_api as xp", cubed_cases),
    "sparse": ("sparse", "import sparse", sparse_cases),
    "cvxpy": ("cvxpy", "import cvxpy as cp", cvxpy_cases),
    "numba": ("numba", "import numba", numba_cases),
    "astropy": ("astropy", "import astropy.units as u\nfrom astropy.utils.shapes import check_broadcast", astropy_cases),
    "pytensor": ("pytensor", "import pytensor, pytensor.tensor as pt", pytensor_cases),
    "tinygrad": ("tinygrad", "from tinygrad import Tensor", tinygrad_cases),
    "mlx": ("mlx", "import mlx.core as mx", mlx_cases),
    "onnx": ("onnx", "import onnx, onnx.shape_inference" + MODELS, onnx_cases),
    "onnxruntime": ("onnxruntime", "import onnx, onnxruntime" + MODELS, onnxruntime_cases),
    "openvino": ("openvino", "import openvino.opset13 as ops", openvino_cases),
}


def shortened(text):
    """Without the machine's paths."""
    text = re.sub(r"(?<![\w.])/[^\s\"']*/((?:site|dist)-packages/)", r"[...]/\1", text)
    return re.sub(r"(?<![\w.\]/])/(?:tmp|root|home|work|usr|opt)/[^\s\"']*/", "[...]/", text)


def pasted_text(code, scope):
    """What Python prints of the code: the error's frames of the code and the last one, or a warning. None if it runs."""
    name = "example.py"
    code += "\n"  # without it, Python places its marks wrongly
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(compile(code, name, "exec"), scope)
        except Exception as error:
            shown = traceback.TracebackException.from_exception(error)
            frames = [f for f in shown.stack if f.filename == name]
            if shown.stack[-1].filename != name:
                frames.append(shown.stack[-1])
            shown.stack = traceback.StackSummary.from_list([])
            shown.stack.extend(frames)
            return shortened("".join(shown.format(chain=False)))
    kept = [w for w in caught if "broadcast" in str(w.message) or "rank promotion" in str(w.message)]
    return f"{name}:{kept[0].lineno}: {kept[0].category.__name__}: {kept[0].message}\n" if kept else None


def main(names):
    for name in names:
        package, imports, cases = SYSTEMS[name]
        version = importlib.metadata.version(package)
        scope = {"__name__": "example"}
        exec("import numpy as np\n" + imports, scope)
        for number, one in enumerate(cases()):
            text = pasted_text(one["code"], dict(scope))
            if text is None:
                print(f"{name}: no text for\n{one['code']}", file=sys.stderr)
                continue
            printed_by = one.pop("printed_by") or name
            record = {"id": f"{name}-{number}", "system": printed_by, "run": f"{package} {version}", "pasted_text": text, **one}
            print(json.dumps(record), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
