"""Runs the bench's cases in NumPy, ONNX Runtime or OpenVINO: `python peer.py NAME THREADS`.

Answers one line of JSON to each line, as tests/bench/main.cc does:

    about                          {"version": ...}
    open folder= op= dtypes= out= shapes= target=
                                   takes operands and the right result from the folder, runs the case once, checks it;
                                   {} or {"wrong": why} or {"unsupported": why}
    time rounds=                   {"work": [nanoseconds of one run, for each round]}

Shapes are in NumPy's form: aligned at the right. Results are written into memory that is there beforehand, wherever the
library lets one say so, and everything is run once before it is timed.
"""

import contextlib
import json
import mmap
import os
import sys
import time

name, threads = sys.argv[1], int(sys.argv[2])
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "TBB_NUM_THREADS"):
    os.environ[variable] = str(threads)
os.environ["OPENVINO_TELEMETRY_OPT_OUT"] = "1"

import numpy as np  # noqa: E402  after the variables that it reads

NUMPY_TYPES = {
    "bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16,
    "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64,
    "c128": np.complex128,
}  # fmt: skip


class Unsupported(Exception):
    pass


def memory(shape, dtype, number):
    """In huge pages where there are some. Buffer `number` begins as far into its page as in tests/bench/memory.h."""
    count = int(np.prod(shape, dtype=np.int64))
    size = count * np.dtype(dtype).itemsize
    huge = 2 << 20
    pages = mmap.mmap(-1, size + 2 * huge)
    with contextlib.suppress(AttributeError, OSError):  # the system has none
        pages.madvise(mmap.MADV_HUGEPAGE)
    whole = np.frombuffer(pages, np.uint8)
    whole.fill(0)  # first touch: maps the pages
    begin = -whole.ctypes.data % huge + number * 256
    return whole[begin : begin + size].view(dtype).reshape(shape)


class Numpy:
    version = np.__version__
    operators = {
        "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Pow": np.power, "Max": np.maximum,
        "Min": np.minimum, "Less": np.less, "Greater": np.greater, "Equal": np.equal, "Mod": np.mod,
    }  # fmt: skip

    def prepare(self, op, inputs, output):
        if op == "Broadcast":
            data = inputs[0]
            return lambda: np.copyto(output, data)
        if op not in self.operators:
            raise Unsupported(f"no {op}")
        function = self.operators[op]
        return lambda: function(*inputs, out=output)


class OnnxRuntime:
    def __init__(self):
        import onnxruntime

        self.runtime = onnxruntime
        self.version = onnxruntime.__version__

    def prepare(self, op, inputs, output):
        from onnx import TensorProto, helper, numpy_helper

        onnx_type = helper.np_dtype_to_tensor_dtype
        names = [f"operand{i}" for i in range(len(inputs))]
        given = [helper.make_tensor_value_info(n, onnx_type(x.dtype), x.shape) for n, x in zip(names, inputs)]
        constants = []
        if op == "Broadcast":
            constants = [numpy_helper.from_array(np.array(output.shape, np.int64), "shape")]
            node = helper.make_node("Expand", [*names, "shape"], ["result"])
        else:
            node = helper.make_node(op, names, ["result"])
        result = helper.make_tensor_value_info("result", onnx_type(output.dtype), output.shape)
        graph = helper.make_graph([node], "case", given, [result], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        options = self.runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        # A spinning thread would take the core of the next peer that is timed.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            session = self.runtime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        except Exception as error:
            raise Unsupported(str(error).splitlines()[0])
        value = self.runtime.OrtValue.ortvalue_from_numpy
        binding = session.io_binding()
        self.kept = [value(x) for x in inputs]
        for n, x in zip(names, self.kept):
            binding.bind_ortvalue_input(n, x)
        binding.bind_output("result", "cpu", 0, output.dtype, output.shape, output.ctypes.data)
        return lambda: session.run_with_iobinding(binding)


class OpenVino:
    operators = {
        "Add": "add", "Sub": "subtract", "Mul": "multiply", "Div": "divide", "Pow": "power", "Max": "maximum",
        "Min": "minimum", "Less": "less", "Greater": "greater", "Equal": "equal", "Mod": "floor_mod",
    }  # fmt: skip

    def __init__(self):
        import openvino

        self.ov = openvino
        self.version = openvino.__version__.split("-")[0]
        self.core = openvino.Core()

    def prepare(self, op, inputs, output):
        ov = self.ov
        ops = ov.opset8 if hasattr(ov, "opset8") else __import__("openvino.opset8", fromlist=["opset8"])
        parameters = [ops.parameter(x.shape, x.dtype) for x in inputs]
        if op == "Broadcast":
            node = ops.broadcast(parameters[0], np.array(output.shape, np.int64))
        elif op in self.operators:
            node = getattr(ops, self.operators[op])(*parameters)
        else:
            raise Unsupported(f"no {op}")
        try:
            compiled = self.core.compile_model(
                ov.Model([node], parameters, "case"),
                "CPU",
                {
                    "INFERENCE_NUM_THREADS": threads,
                    "NUM_STREAMS": 1,
                    "PERFORMANCE_HINT": "LATENCY",
                    "INFERENCE_PRECISION_HINT": "f32",  # else this processor would compute in bf16
                },
            )
        except Exception as error:
            raise Unsupported(str(error).strip().splitlines()[-1])
        request = compiled.create_infer_request()
        self.kept = [compiled, *(ov.Tensor(x, shared_memory=True) for x in [*inputs, output])]
        for i in range(len(inputs)):
            request.set_input_tensor(i, self.kept[i + 1])
        request.set_output_tensor(0, self.kept[-1])

        def run():
            request.start_async()
            request.wait()

        return run


def read(folder, file, dtype, shape, number):
    array = memory(shape, dtype, number)
    array[...] = np.fromfile(f"{folder}/{file}", dtype).reshape(shape)
    return array


def shape_of(text):
    return tuple(int(extent) for extent in text[1:-1].split(",") if extent)


def first_wrong(got, right, op):
    if op == "Pow":
        off = ~np.isclose(got, right, rtol=1e-6, atol=0)
    else:
        off = got != right
    if not off.any():
        return None
    at = tuple(int(i) for i in np.unravel_index(int(np.argmax(off)), off.shape)) if off.shape else ()
    return f"element {list(at)} is {got[at]}, not {right[at]}"


LEAST = 1e6  # nanoseconds of a round, and in how many tries: as in tests/bench/measure.h
TRIES = 3


class Case:
    def __init__(self, library, words):
        folder, op = words["folder"], words["op"]
        types = words["dtypes"].split(",")
        shapes = [shape_of(text) for text in words["shapes"].split(";")]
        target = shape_of(words["target"])
        for dtype in [*types, words["out"]]:
            if dtype not in NUMPY_TYPES:
                raise Unsupported(f"no {dtype}")
        inputs = [
            read(folder, f"operand{i}", NUMPY_TYPES[dtype], shape, i + 1)
            for i, (dtype, shape) in enumerate(zip(types, shapes))
        ]
        right = np.fromfile(f"{folder}/result", NUMPY_TYPES[words["out"]]).reshape(target)
        self.output = memory(target, NUMPY_TYPES[words["out"]], 0)
        self.run = library.prepare(op, inputs, self.output)
        self.inputs = inputs
        try:
            self.run()
        except Exception as error:
            raise Unsupported(str(error).strip().splitlines()[0])
        self.wrong = first_wrong(self.output, right, op)
        self.count = 1
        while (ns := self.time()) * TRIES < LEAST:
            self.count *= 2
        self.long = ns / self.count >= 100e6

    def time(self):
        run = self.run
        begin = time.perf_counter_ns()
        for _ in range(self.count):
            run()
        return time.perf_counter_ns() - begin

    def round(self):
        if self.long:
            return self.time() / self.count
        self.run()
        return min(self.time() for _ in range(TRIES)) / self.count


def main():
    library = {"numpy": Numpy, "onnxruntime": OnnxRuntime, "openvino": OpenVino}[name]()
    case = None
    for line in sys.stdin:
        what, *rest = line.split()
        words = dict(word.split("=", 1) for word in rest)
        if what == "about":
            answer = {"version": library.version}
        elif what == "open":
            case = None
            try:
                case = Case(library, words)
                answer = {"wrong": case.wrong} if case.wrong else {}
            except Unsupported as error:
                answer = {"unsupported": str(error)}
        else:
            answer = {"work": [case.round() for _ in range(int(words["rounds"]))]}
        print(json.dumps(answer), flush=True)


main()
