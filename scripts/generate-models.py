# Writes the models that tests of the audit read: tests/models/data. Weights are left out: ONNX files refer to files that
# do not exist, since only shapes are read.
#
#   python -m venv env && env/bin/pip install -r tests/requirements.txt
#   env/bin/python scripts/generate-models.py
#
# Architectures: resnet (residual blocks, with and without shapes of intermediate values), bert (an encoder with named
# dynamic extents), llama (a decoder: rotary embedding, repeated heads, causal mask), squeeze (squeeze and excite).

import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = os.path.join(os.path.dirname(__file__), "../tests/models/data")


class Graph:
    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def __call__(self, op, *inputs, outputs=1, domain="", **attributes):
        self.count += 1
        names = [f"{op.lower()}_{self.count}_{i}" if outputs > 1 else f"{op.lower()}_{self.count}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, name=f"{op}_{self.count}", domain=domain, **attributes))
        return names if outputs > 1 else names[0]

    def weight(self, *shape, dtype=TensorProto.FLOAT):
        self.count += 1
        tensor = TensorProto(name=f"w_{self.count}", dims=shape, data_type=dtype, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="absent.bin")
        self.weights.append(tensor)
        return tensor.name

    def constant(self, values, dtype=np.int64):
        self.count += 1
        self.weights.append(numpy_helper.from_array(np.array(values, dtype), f"c_{self.count}"))
        return f"c_{self.count}"

    def model(self, inputs, outputs, opset=18, functions=(), extra=(), ir=10):
        info = lambda name, shape, kind=TensorProto.FLOAT: helper.make_tensor_value_info(name, kind, shape)
        graph = helper.make_graph(
            self.nodes,
            "graph",
            [info(*each) for each in inputs],
            [info(*each) if isinstance(each, tuple) else helper.make_empty_tensor_value_info(each) for each in outputs],
            self.weights,
        )
        opsets = [helper.make_opsetid("", opset), *extra]
        return helper.make_model(graph, opset_imports=opsets, functions=list(functions), ir_version=ir)


def resnet():
    g = Graph()

    def conv(x, channels, out, kernel, stride):
        pad = kernel // 2
        x = g("Conv", x, g.weight(out, channels, kernel, kernel), strides=[stride] * 2, pads=[pad] * 4)
        return g("BatchNormalization", x, *[g.weight(out) for _ in range(4)])

    x = g("Relu", conv("image", 3, 64, 7, 2))
    x = g("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    channels = 64
    for out, blocks in [(64, 3), (128, 4), (256, 6), (512, 3)]:
        for block in range(blocks):
            stride = 2 if block == 0 and out > 64 else 1
            y = g("Relu", conv(x, channels, out, 1, 1))
            y = g("Relu", conv(y, out, out, 3, stride))
            y = conv(y, out, out * 4, 1, 1)
            if block == 0:
                x = conv(x, channels, out * 4, 1, stride)
            x = g("Relu", g("Add", y, x))
            channels = out * 4
    x = g("Flatten", g("GlobalAveragePool", x))
    x = g("Gemm", x, g.weight(1000, channels), g.weight(1000), transB=1)
    return g.model([("image", ["N", 3, 224, 224])], [(x, ["N", 1000])])


def layer_norm(g, x, width):
    centred = g("Sub", x, g("ReduceMean", x, g.constant([-1])))
    variance = g("ReduceMean", g("Pow", centred, g.constant(2, np.float32)), g.constant([-1]))
    scaled = g("Div", centred, g("Sqrt", g("Add", variance, g.constant(1e-5, np.float32))))
    return g("Add", g("Mul", scaled, g.weight(width)), g.weight(width))


def bert(layers=2, width=768, heads=12):
    g = Graph()
    words = g("Gather", g.weight(30522, width), "ids")
    length = g("Gather", g("Shape", "ids"), g.constant(1))
    positions = g("Slice", g.weight(1, 512, width), g.constant([0]), g("Unsqueeze", length, g.constant([0])), g.constant([1]))
    x = layer_norm(g, g("Add", g("Add", words, positions), g("Gather", g.weight(2, width), "types")), width)
    mask = g("Cast", g("Unsqueeze", "mask", g.constant([1, 2])), to=TensorProto.FLOAT)
    mask = g("Mul", g("Sub", g.constant(1, np.float32), mask), g.constant(-10000, np.float32))

    def dense(x, a, b):
        return g("Add", g("MatMul", x, g.weight(a, b)), g.weight(b))

    def split(x):
        shaped = g("Reshape", x, g.constant([0, 0, heads, width // heads]))
        return g("Transpose", shaped, perm=[0, 2, 1, 3])

    for _ in range(layers):
        q, k, v = (split(dense(x, width, width)) for _ in range(3))
        scores = g("MatMul", q, g("Transpose", k, perm=[0, 1, 3, 2]))
        scores = g("Add", g("Div", scores, g.constant(8, np.float32)), mask)
        y = g("Transpose", g("MatMul", g("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
        y = dense(g("Reshape", y, g.constant([0, 0, width])), width, width)
        x = layer_norm(g, g("Add", y, x), width)
        y = dense(x, width, 4 * width)
        gate = g("Add", g("Erf", g("Div", y, g.constant(1.4142135, np.float32))), g.constant(1, np.float32))
        y = dense(g("Mul", g("Mul", y, gate), g.constant(0.5, np.float32)), 4 * width, width)
        x = layer_norm(g, g("Add", y, x), width)
    shape = ["batch", "seq"]
    return g.model([(name, shape, TensorProto.INT64) for name in ("ids", "mask", "types")], [(x, [*shape, width])])


def llama(layers=2, width=512, heads=8, groups=2):
    g = Graph()
    size = width // heads
    x = g("Gather", g.weight(32000, width), "ids")

    def norm(x):
        mean = g("ReduceMean", g("Pow", x, g.constant(2, np.float32)), g.constant([-1]))
        root = g("Reciprocal", g("Sqrt", g("Add", mean, g.constant(1e-6, np.float32))))
        return g("Mul", g.weight(width), g("Mul", x, root))

    def split(x, count):
        shaped = g("Reshape", x, g.constant([0, 0, count, size]))
        return g("Transpose", shaped, perm=[0, 2, 1, 3])

    cos, sin = (g("Unsqueeze", name, g.constant([1])) for name in ("cos", "sin"))

    def rotate(x):
        first = g("Slice", x, g.constant([0]), g.constant([size // 2]), g.constant([3]))
        second = g("Slice", x, g.constant([size // 2]), g.constant([size]), g.constant([3]))
        return g("Add", g("Mul", x, cos), g("Mul", g("Concat", g("Neg", second), first, axis=-1), sin))

    def repeat(x):
        shape = g("Shape", x)
        part = lambda axis: g("Gather", shape, g.constant([axis]))
        target = g("Concat", part(0), part(1), g.constant([heads // groups]), part(2), part(3), axis=0)
        x = g("Expand", g("Unsqueeze", x, g.constant([2])), target)
        return g("Reshape", x, g.constant([0, heads, -1, size]))

    for _ in range(layers):
        y = norm(x)
        q = rotate(split(g("MatMul", y, g.weight(width, width)), heads))
        k = repeat(rotate(split(g("MatMul", y, g.weight(width, groups * size)), groups)))
        v = repeat(split(g("MatMul", y, g.weight(width, groups * size)), groups))
        scores = g("MatMul", q, g("Transpose", k, perm=[0, 1, 3, 2]))
        scores = g("Mul", scores, g.constant(size**-0.5, np.float32))
        scores = g("Where", "causal", scores, g.constant(-3.4e38, np.float32))
        y = g("Transpose", g("MatMul", g("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
        x = g("Add", x, g("MatMul", g("Reshape", y, g.constant([0, 0, width])), g.weight(width, width)))
        y = norm(x)
        gate = g("MatMul", y, g.weight(width, 4 * width))
        up = g("MatMul", y, g.weight(width, 4 * width))
        x = g("Add", x, g("MatMul", g("Mul", g("Mul", gate, g("Sigmoid", gate)), up), g.weight(4 * width, width)))
    inputs = [
        ("ids", ["batch", "seq"], TensorProto.INT64),
        ("cos", ["batch", "seq", size]),
        ("sin", ["batch", "seq", size]),
        ("causal", ["batch", 1, "seq", "seq"], TensorProto.BOOL),
    ]
    return g.model(inputs, [(x, ["batch", "seq", width])])


def squeeze():
    g = Graph()
    x = "image"
    for channels, out in [(3, 16), (16, 24), (24, 40)]:
        x = g("HardSwish", g("Conv", x, g.weight(out, channels, 3, 3), g.weight(out), pads=[1] * 4))
        y = g("GlobalAveragePool", x)
        y = g("Relu", g("Conv", y, g.weight(8, out, 1, 1)))
        y = g("HardSigmoid", g("Conv", y, g.weight(out, 8, 1, 1)))
        x = g("Mul", x, y)
        x = g("PRelu", x, g.weight(out, 1, 1))
        x = g("Div", g("Sub", x, g.weight(1, out, 1, 1)), g.weight(1, out, 1, 1))
    return g.model([("image", [None, 3, None, None])], [(x, None)])


# --- Small models, one for each construct -----------------------------------------------------------------------------


def binary(a, b, op="Add", opset=18, kind=TensorProto.FLOAT, **attributes):
    g = Graph()
    x = g(op, "a", "b", **attributes)
    return g.model([("a", a, kind), ("b", b, kind)], [x], opset=opset, ir=10 if opset >= 7 else 3)


def subgraphs():
    g = Graph()
    info = lambda name, shape, kind=TensorProto.FLOAT: helper.make_tensor_value_info(name, kind, shape)
    branch = lambda name, op: helper.make_graph(
        [helper.make_node(op, ["x", "bias"], [name], name=name)], name, [], [info(name, None)]
    )
    chosen = g("If", "flag", then_branch=branch("then_sum", "Add"), else_branch=branch("else_product", "Mul"))
    body = helper.make_graph(
        [
            helper.make_node("Add", ["state", "column"], ["grown"], name="grow"),
            helper.make_node("Identity", ["going"], ["still"], name="go_on"),
            helper.make_node("Mul", ["grown", "turn_f"], ["scaled"], name="scale"),
            helper.make_node("Cast", ["turn"], ["turn_f"], name="to_float", to=1),
        ],
        "loop_body",
        [info("turn", [], TensorProto.INT64), info("going", [], TensorProto.BOOL), info("state", [2, 3])],
        [info("still", [], TensorProto.BOOL), info("grown", [2, 3]), info("scaled", [2, 3])],
    )
    body.node.insert(2, body.node.pop(3))
    looped, _ = g("Loop", g.constant(4), "flag", chosen, outputs=2, body=body)
    scan = helper.make_graph(
        [helper.make_node("Sub", ["total", "row"], ["rest"], name="rest_of")],
        "scan_body",
        [info("total", [3]), info("row", [3])],
        [info("rest", [3])],
    )
    scanned = g("Scan", g.constant([0, 0, 0], np.float32), looped, num_scan_inputs=1, body=scan)
    x = g("Max", scanned, chosen, "bias")
    inputs = [("flag", [], TensorProto.BOOL), ("x", [2, 3]), ("bias", [3]), ("column", [2, 1])]
    return g.model(inputs, [x])


def functions():
    g = Graph()
    own = helper.make_opsetid("", 18)
    nodes = [
        helper.make_node("ReduceMean", ["x", "axes"], ["mean"], keepdims=1),
        helper.make_node("Sub", ["x", "mean"], ["centred"], name="centre"),
        helper.make_node("Mul", ["centred", "scale"], ["y"], name="scaled"),
    ]
    inner = helper.make_function("own", "Norm", ["x", "scale", "axes"], ["y"], nodes, [own])
    nodes = [
        helper.make_node("Norm", ["x", "scale", "axes"], ["n"], domain="own", name="norm"),
        helper.make_node("Add", ["n", "x"], ["z"], name="residual"),
    ]
    opsets = [own, helper.make_opsetid("own", 1)]
    outer = helper.make_function("own", "Block", ["x", "scale", "axes"], ["z"], nodes, opsets)
    axes = g.constant([-1])
    x = g("Block", "x", "scale", axes, domain="own")
    x = g("Block", x, "scale", axes, domain="own")
    x = g("Add", x, "wide")
    inputs = [("x", ["N", 4, 8]), ("scale", [8]), ("wide", [2, 1, 4, 1])]
    return g.model(inputs, [x], functions=[inner, outer], extra=[helper.make_opsetid("own", 1)])


def no_keepdims():
    g = Graph()
    x = g("Sub", "x", g("ReduceMean", "x", g.constant([1]), keepdims=0))
    return g.model([("x", [32, 10])], [x])


def outer_product():
    g = Graph()
    x = g("Sub", "prediction", "label")
    return g.model([("prediction", [32, 1]), ("label", [32])], [(x, [32, 1])])


def expand(target):
    g = Graph()
    x = g("Expand", "x", g.constant(target))
    return g.model([("x", [3, 1])], [x])


def gemm(c):
    g = Graph()
    x = g("Gemm", "a", "b", "c", transA=1)
    return g.model([("a", [4, 2]), ("b", [4, 3]), ("c", c)], [x])


def stripped(model):
    del model.graph.value_info[:]
    return model


MODELS = {
    "resnet": lambda: onnx.shape_inference.infer_shapes(resnet()),
    "resnet-stripped": lambda: stripped(resnet()),
    "bert": bert,
    "llama": llama,
    "squeeze": squeeze,
    "subgraphs": subgraphs,
    "functions": functions,
    "fits": lambda: binary([2, 1, 4], [3, 1]),
    "clash": lambda: binary([2, 3], [2]),
    "clash-of-no-keepdims": no_keepdims,
    "clash-of-prelu": lambda: binary([1, 3], [2, 3], "PRelu"),
    "clash-of-known": lambda: binary(["N", 3], ["N", 4], "Mul"),
    "outer-product": outer_product,
    "unknown": lambda: binary(["N", 3], ["M", 3], "Mul"),
    "unknown-or-one": lambda: binary(["N", 3], [4, 3], "Mul"),
    "unknown-rank": lambda: binary(None, [3], "Mul"),
    "expand": lambda: expand([2, 1, 6]),
    "expand-clash": lambda: expand([2, 6]),
    "gemm": lambda: gemm([3]),
    "gemm-clash": lambda: gemm([2, 2, 3]),
    "empty": lambda: binary([0, 3], [1, 3]),
    "opset6": lambda: binary([2, 3, 4, 5], [3, 4], opset=6, broadcast=1, axis=1),
    "opset6-suffix": lambda: binary([2, 3, 4, 5], [4, 5], opset=6, broadcast=1),
    "opset6-clash": lambda: binary([2, 3, 4, 5], [3, 4], opset=6, broadcast=1),
    "opset6-none": lambda: binary([2, 3], [2, 3], opset=6),
    "opset6-none-clash": lambda: binary([2, 3], [3], opset=6),
}


def intermediate_representation():
    import openvino as ov
    from openvino import opset13 as ops

    float32 = np.float32
    a = ops.parameter([2, 3, 4], float32, name="a")
    b = ops.parameter([3, 1], float32, name="b")
    d = ops.parameter([-1, 3, -1], float32, name="d")
    s = ops.parameter([3], float32, name="s")
    p = ops.parameter([3, 5], float32, name="p")
    results = [
        ops.add(a, b, name="numpy"),
        ops.multiply(a, a, auto_broadcast="none", name="none"),
        ops.subtract(p, s, auto_broadcast="pdpd", name="pdpd"),
        ops.add(ops.relu(d), b, name="dynamic"),
        ops.prelu(a, ops.constant(np.ones(3, float32)), name="slope"),
        ops.select(ops.greater(a, b), a, ops.constant(np.float32(0)), name="chosen"),
        ops.broadcast(s, ops.constant([2, 3]), name="to_numpy"),
        ops.broadcast(s, ops.constant([3, 4]), ops.constant([0]), "EXPLICIT", name="to_explicit"),
        ops.broadcast(b, ops.constant([2, 1, 4]), broadcast_spec="BIDIRECTIONAL", name="to_bidirectional"),
        ops.logical_not(ops.equal(a, ops.constant(np.float32(1)))),
    ]
    x, y = ops.parameter([2, 3], float32, name="in_then"), ops.parameter([2, 3], float32, name="in_else")
    then_sum = ops.result(ops.add(x, ops.constant(np.ones(3, float32)), name="then_sum"))
    else_product = ops.result(ops.multiply(y, ops.constant(np.ones((2, 1), float32)), name="else_product"))
    flag, outer = ops.parameter([], bool, name="flag"), ops.parameter([2, 3], float32, name="outer")
    branch = ops.if_op(flag)
    branch.set_then_body(ov.Model([then_sum], [x]))
    branch.set_else_body(ov.Model([else_product], [y]))
    branch.set_input(outer.output(0), x, y)
    chosen = branch.set_output(then_sum, else_product)
    inputs = [a, b, d, s, p, flag, outer]
    return ov.Model([ops.result(each) for each in [*results, chosen]], inputs, "layers")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for name, make in MODELS.items():
        with open(os.path.join(FOLDER, f"{name}.onnx"), "wb") as file:
            file.write(make().SerializeToString())
    from openvino import save_model

    save_model(intermediate_representation(), os.path.join(FOLDER, "layers.xml"), compress_to_fp16=False)


if __name__ == "__main__":
    sys.exit(main())
