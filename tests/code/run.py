# Runs texts, each in a namespace of its own, and answers with their results: JSON in, JSON out.
#
# In: a list of {"text"}, with {"shim"} for libraries that are not there (shim.py), or of {"layer", "operands", "constants"}: a layer of OpenVINO's IR, which is put into a model.
# Out: a line of {"outs": [{"dtype", "shape", "b64"}]} or {"error"} for each, at once: a system may end the process.
import base64
import json
import sys
import warnings
import xml.etree.ElementTree as tree

import ml_dtypes
import numpy as np

warnings.filterwarnings("ignore")
np.seterr(all="ignore")

NAMES = {
    "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
    "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2", "complex64": "c64", "complex128": "c128", "int4": "i4",
    "uint4": "u4",
}
TYPES = {short: np.dtype(getattr(ml_dtypes, name, None) or name) for name, short in NAMES.items()}


def told(array):
    array = np.asarray(array)
    name = NAMES[array.dtype.name]
    data = np.ascontiguousarray(array)
    if name in ("i4", "u4"):  # one a byte here, two a byte there: the first in the low half
        nibbles = data.reshape(-1).astype(np.int8).view(np.uint8) & 15
        nibbles = np.append(nibbles, np.zeros(nibbles.size % 2, np.uint8))
        data = nibbles[0::2] | nibbles[1::2] << 4
    return {"dtype": name, "shape": list(array.shape), "b64": base64.b64encode(data.tobytes()).decode()}


def run_text(text):
    # Settings that a text makes in JAX apply only to that text.
    if "jax" in sys.modules:
        sys.modules["jax"].config.update("jax_enable_x64", False)
    names = {}
    exec(compile(text, "text", "exec"), names)
    outs = names["outs"] if "outs" in names else [names["out"]]
    return [told(out) for out in outs]


def port_shape(port):
    return [int(dim.text) for dim in port.findall("dim")]


def run_layer(text, operands, constants):
    import openvino as ov

    layer = tree.fromstring(text)
    net = tree.Element("net", name="one", version="11")
    layers = tree.SubElement(net, "layers")
    edges = tree.SubElement(net, "edges")
    weights = b""
    arrays = []
    layer.set("id", "100")
    for i, port in enumerate(layer.find("input")):
        shape = port_shape(port)
        text_shape = ",".join(map(str, shape))
        if i < len(operands):
            given = operands[i]
            element_type = {"bool": "boolean"}.get(given["dtype"], given["dtype"])
            made = tree.SubElement(layers, "layer", id=str(i), name=f"p{i}", type="Parameter", version="opset1")
            tree.SubElement(made, "data", shape=text_shape, element_type=element_type)
            array = np.frombuffer(base64.b64decode(given["b64"]), dtype=TYPES[given["dtype"]])
            arrays.append(array.reshape(shape).copy())
        else:
            values = np.array(constants[i - len(operands)], dtype=np.int64)
            assert values.shape == tuple(shape), (values.shape, shape)
            made = tree.SubElement(layers, "layer", id=str(i), name=f"c{i}", type="Const", version="opset1")
            where = {"offset": str(len(weights)), "size": str(values.nbytes)}
            tree.SubElement(made, "data", element_type="i64", shape=text_shape, **where)
            weights += values.tobytes()
        output = tree.SubElement(made, "output")
        own = tree.SubElement(output, "port", id="0", precision=port.get("precision"))
        own.extend(port.findall("dim"))
        tree.SubElement(edges, "edge", {"from-layer": str(i), "from-port": "0", "to-layer": "100", "to-port": port.get("id")})
    layers.append(layer)
    output = layer.find("output").find("port")
    end = tree.SubElement(layers, "layer", id="200", name="end", type="Result", version="opset1")
    port = tree.SubElement(tree.SubElement(end, "input"), "port", id="0")
    port.extend(output.findall("dim"))
    tree.SubElement(edges, "edge", {"from-layer": "100", "from-port": output.get("id"), "to-layer": "200", "to-port": "0"})
    tensor = ov.Tensor(np.frombuffer(weights or b"\0", dtype=np.uint8).copy())
    model = ov.Core().read_model(tree.tostring(net), tensor)
    # The layer states its own result; the model must agree.
    assert list(model.outputs[0].shape) == port_shape(output), (model.outputs[0], port_shape(output))
    compiled = ov.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return [told(compiled(arrays)[0])]


def run(item):
    try:
        if "layer" in item:
            return {"outs": run_layer(item["layer"], item["operands"], item["constants"])}
        if item.get("shim"):
            import shim  # noqa: F401: what it imports as is enough
        return {"outs": run_text(item["text"])}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:600]}


for item in json.load(sys.stdin):
    print(json.dumps(run(item)), flush=True)
