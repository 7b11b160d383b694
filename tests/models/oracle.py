# What PyPI's onnx says of the broadcasting nodes of models: one JSON line for each file.
#
#   python tests/models/oracle.py FILE... >answers.jsonl
#   python tests/models/oracle.py --collect FOLDER      writes the models of the onnx package itself into a folder
#
# Which operators broadcast is taken from the texts of onnx's own schemas, and shapes from onnx.shape_inference.

import glob
import json
import os
import sys
import warnings

import onnx
from onnx import defs, shape_inference

# Texts that mention broadcasting, of operators whose operands are not broadcast to each other: Attention and SwiGLU are
# functions that contain such nodes, Einsum broadcasts only what its equation says, and Tile is compared with it.
NOT_MEANT = {"Attention", "Einsum", "SwiGLU", "Tile"}


def broadcasts(op, domain, version):
    if domain not in ("", "ai.onnx") or op in NOT_MEANT:
        return False
    try:
        schema = defs.get_schema(op, version, "")
    except defs.SchemaError:
        return False
    text = (schema.doc or "") + " ".join(each.description or "" for each in schema.inputs)
    # Old versions of PRelu and of operators on lists take operands that do not broadcast by that name.
    return "broadcast" in text.lower() or op in {"PRelu", "Max", "Min", "Sum", "Mean"}


def shape_of(type_proto):
    if not type_proto.HasField("tensor_type") or not type_proto.tensor_type.HasField("shape"):
        return None
    dims = type_proto.tensor_type.shape.dim
    return [d.dim_value if d.HasField("dim_value") else (d.dim_param or "?") for d in dims]


def nodes_of(graph, outer, version, found):
    shapes = dict(outer)
    for value in [*graph.input, *graph.output, *graph.value_info]:
        shapes[value.name] = shape_of(value.type)
    for tensor in graph.initializer:
        shapes[tensor.name] = list(tensor.dims)
    for node in graph.node:
        if node.op_type == "Constant" and not node.domain:
            value = next((a.t for a in node.attribute if a.name == "value"), None)
            if value is not None:
                shapes[node.output[0]] = list(value.dims)
        if broadcasts(node.op_type, node.domain, version) and not (node.op_type == "Gemm" and len(node.input) < 3):
            found.append(
                {
                    "name": node.name or node.output[0],
                    "op": node.op_type,
                    "inputs": [[name, shapes.get(name)] for name in node.input],
                    "output": shapes.get(node.output[0]),
                }
            )
        for attribute in node.attribute:
            for body in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                nodes_of(body, shapes, version, found)
    return found


def answer(file):
    model = onnx.load(file, load_external_data=False)
    version = next((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), 1)
    error = None
    try:
        model = shape_inference.infer_shapes(model, data_prop=True, strict_mode=True)
    except Exception as problem:
        error = str(problem).strip()[:300]
        try:
            model = shape_inference.infer_shapes(model, data_prop=True)
        except Exception:  # the shapes of the file remain
            pass
    nodes = nodes_of(model.graph, {}, version, [])
    return {"file": os.path.basename(file), "error": error, "functions": len(model.functions), "nodes": nodes}


def collect(folder):
    from onnx.backend.test.case.node import collect_testcases

    os.makedirs(folder, exist_ok=True)
    package = os.path.dirname(onnx.__file__)
    models = {}
    for file in sorted(glob.glob(package + "/**/*.onnx", recursive=True)):
        name = os.path.relpath(file, package).replace(os.sep, "_").removesuffix(".onnx")
        models[name] = onnx.load(file, load_external_data=False)
    for case in collect_testcases(None):
        if case.model is not None:
            models[case.name] = case.model
    for name, model in models.items():
        with open(f"{folder}/{name}.onnx", "wb") as file:
            file.write(model.SerializeToString())


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "--collect":
        collect(sys.argv[2])
    else:
        for name in sys.argv[1:]:
            print(json.dumps(answer(name)))
