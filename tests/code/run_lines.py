# Runs lines of code of repairs on operands that count 0, 1, 2, ...; JSON in, a line of JSON out for each.
#
# Of a reduction, the line and the expression that it is made from are run on a matrix x.
#
# In: a list of records of repair_lines.cc, each with {"system", "line"}, and {"shim"} for libraries that are not there
# (shim.py).
# Out: {"arrays": [{"shape", "elements"}]}: the changed operand, or what each operand becomes in the result, or {"error"}.
import json
import re
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")

NAMES = "abcdefgh"


def counted(shapes):
    return {NAMES[i]: np.arange(np.prod(shape, dtype=int)).reshape(shape) for i, shape in enumerate(shapes)}


def run_numpy(line, operands, record):
    return list(eval(f"[{line}]", {"np": np, **operands}))


def run_jax(line, operands, record):
    import jax.numpy as jnp

    return list(eval(f"[{line}]", {"jnp": jnp, **{name: jnp.array(array) for name, array in operands.items()}}))


def run_pytorch(line, operands, record):
    import torch

    given = {name: torch.tensor(array.tolist(), dtype=torch.int64).reshape(array.shape) for name, array in operands.items()}
    return list(eval(f"[{line}]", {"torch": torch, **given}))


def run_tensorflow(line, operands, record):
    import tensorflow as tf

    given = {name: tf.constant(array, dtype=tf.int64) for name, array in operands.items()}
    return list(eval(f"[{line}]", {"tf": tf, **given}))


def run_openvino(line, operands, record):
    import openvino as ov
    import openvino.opset15 as ops

    nodes = {name: ops.parameter(list(array.shape), np.int32, name=name) for name, array in operands.items()}
    made = list(eval(f"[{line}]", {"np": np, "ops": ops, **nodes}))
    # Operands that no line names would be left out of the model.
    model = ov.Model([ops.result(node) for node in made], list(nodes.values()))
    found = ov.compile_model(model, "CPU")([array.astype(np.int32) for array in operands.values()])
    return [found[i] for i in range(len(made))]


def run_onnx(line, operands, record):
    from onnx import TensorProto, helper
    from onnx.reference import ReferenceEvaluator

    if line.startswith("["):
        return [operands[name] for name in eval(line, {})]
    nodes = eval(f"[{line}]", {"helper": helper, "TensorProto": TensorProto})
    ends = [output for node in nodes for output in node.output if re.fullmatch(r"\w_fixed|out", output)]
    if "out" in ends:
        ends = ["out"]
    infos = [helper.make_tensor_value_info(name, TensorProto.INT64, a.shape) for name, a in operands.items()]
    outputs = [helper.make_tensor_value_info(name, TensorProto.INT64, None) for name in ends]
    graph = helper.make_graph(nodes, "line", infos, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    found = dict(zip(ends, ReferenceEvaluator(model).run(None, operands)))
    if "out" in found or "elements" in record:
        return list(found.values())
    order = list(operands)
    if record["kind"] == "swap_operands":
        order[:2] = order[1::-1]
    return [found.get(f"{name}_fixed", operands[name]) for name in order]


RUN = {
    "numpy": run_numpy, "jax": run_jax, "pytorch": run_pytorch, "tensorflow": run_tensorflow,
    "openvino": run_openvino, "onnx": run_onnx,
}


def run_reduction(record):
    x = np.array([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8]], dtype=np.float32)
    system = record["system"]
    if system == "openvino":
        import openvino as ov
        import openvino.opset15 as ops

        node = ops.parameter([3, 4], np.float32)
        made = [eval(record[key], {"ops": ops, "x": node}) for key in ("line", "expression")]
        found = ov.compile_model(ov.Model([ops.result(one) for one in made], [node]), "CPU")([x])
        line, expression = found[0], found[1]
    else:
        import importlib

        name = {"numpy": "numpy", "jax": "jax.numpy", "pytorch": "torch", "tensorflow": "tensorflow"}[system]
        module = importlib.import_module(name)
        short = {"numpy": "np", "jax": "jnp", "pytorch": "torch", "tensorflow": "tf"}[system]
        given = {"numpy": lambda: x, "jax": lambda: module.array(x), "pytorch": lambda: module.tensor(x),
                 "tensorflow": lambda: module.constant(x)}[system]()
        line, expression = (np.asarray(eval(record[key], {short: module, "x": given})) for key in ("line", "expression"))
    wanted = np.expand_dims(expression, record["axis"])
    same = line.shape == wanted.shape and np.array_equal(line, wanted)
    return {} if same else {"error": f"{line} for {wanted}"}


def run(record):
    try:
        if record["from"] == "reduction":
            return run_reduction(record)
        if record.get("shim"):
            import shim  # noqa: F401: what it imports as is enough
        operands = counted(record["operands"])
        arrays = [np.asarray(array) for array in RUN[record["system"]](record["line"], operands, record)]
        if "elements" not in record:
            # The system's own rule is NumPy's, and the result's shape is known without them where the line is a call.
            arrays = list(np.broadcast_arrays(*arrays))
        return {"arrays": [{"shape": list(a.shape), "elements": a.reshape(-1).tolist()} for a in arrays]}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:600]}


for record in json.load(sys.stdin):
    print(json.dumps(run(record)), flush=True)
