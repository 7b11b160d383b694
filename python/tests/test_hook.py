"""The hook: what it prints below tracebacks of real programs, and that it changes nothing else."""

from __future__ import annotations

import ast
import doctest
import importlib
import linecache
import re
import subprocess
import sys
import textwrap
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.random  # NumPy imports it when it is first used
import pytest
from programs import run_program

import broadloom
import broadloom.hook
from broadloom._hook.positions import read_source
from broadloom._hook.shapes import View
from broadloom._hook.values import MISSING, attribute_of, item_of, shape_of

#: Programs that fail by a shape error, and what is printed: the lines of the operands, and the line after the change.
PROGRAMS: dict[str, tuple[str, list[str], str | None]] = {
    "one operator of several on a line": (
        """
        import numpy as np
        x, y, z = np.ones((5, 4)), np.ones(4), np.ones(5)
        r = x * y + x - z * 2
        """,
        ["A is x * y + x  (5, 4)", "B is z * 2      (5,)"],
        "+ r = x * y + x - (z * 2)[:, None]",
    ),
    "an inner operator": (
        """
        import numpy as np
        x, y, z = np.ones((5, 4)), np.ones(4), np.ones(5)
        r = x * y + x * z
        """,
        ["A is x  (5, 4)", "B is z  (5,)"],
        "+ r = x * y + x * z[:, None]",
    ),
    "a comprehension": (
        """
        import numpy as np
        rows = [np.ones((5, 4)), np.ones((3, 4))]
        w = np.ones(5)
        r = [row - w for row in rows]
        """,
        ["A is row  (5, 4)", "B is w    (5,)"],
        "+ r = [row - w[:, None] for row in rows]",
    ),
    "a method and attributes": (
        """
        import numpy as np
        class Layer:
            __slots__ = ("weight", "__scale")
            def __init__(self):
                self.weight = np.ones((6, 2))
                self.__scale = np.ones(6)
            def forward(self):
                return self.weight * self.__scale
        Layer().forward()
        """,
        ["A is self.weight   (6, 2)", "B is self.__scale  (6,)"],
        "+ return self.weight * self.__scale[:, None]",
    ),
    "a reduction without keepdims": (
        """
        import numpy as np
        x = np.ones((32, 10))
        loss = ((x - x.mean(axis=1)) ** 2).mean()
        """,
        ["A is x               (32, 10)", "B is x.mean(axis=1)  (32,)"],
        "+ loss = ((x - x.mean(axis=1, keepdims=True)) ** 2).mean()",
    ),
    "subscripts": (
        """
        import numpy as np
        layers = {"w": [np.ones((3, 7)), np.ones((2, 3))]}
        r = layers["w"][0] + layers["w"][1]
        """,
        ['A is layers["w"][0]  (3, 7)', 'B is layers["w"][1]  (2, 3)'],
        None,
    ),
    "augmented assignment": (
        """
        import numpy as np
        x, y = np.ones((5, 4)), np.ones(5)
        x -= y
        """,
        ["A is          y  (5,)", "the target is x  (5, 4)"],
        "+ x -= y[:, None]",
    ),
    "augmented assignment that would grow": (
        """
        import numpy as np
        x, y = np.ones(4), np.ones((5, 4))
        x += y
        """,
        ["A is          y  (5, 4)", "the target is x  (4,)"],
        None,
    ),
    "a comparison": (
        """
        import numpy as np
        x, y = np.ones((5, 4)), np.ones(5)
        r = x < y
        """,
        ["A is x  (5, 4)", "B is y  (5,)"],
        "+ r = x < y[:, None]",
    ),
    "several lines": (
        """
        import numpy as np
        first_operand, other = np.ones((5, 4)), np.ones(5)
        r = (first_operand * 2
             # a comment
             + other
             + 1)
        """,
        ["A is first_operand * 2  (5, 4)", "B is other              (5,)"],
        "+ + other[:, None]",
    ),
    "a function": (
        """
        import numpy as np
        a, b = np.ones((5, 4)), np.ones((2, 5))
        r = np.add(a, b[0])
        """,
        ["A is a     (5, 4)", "B is b[0]  (5,)"],
        "+ r = np.add(a, b[0][:, None])",
    ),
    "out=": (
        """
        import numpy as np
        a, b, c = np.ones((5, 4)), np.ones(4), np.ones(3)
        np.subtract(a, b, out=c)
        """,
        ["A is a  (5, 4)", "B is b  (4,)", "C is c  (3,)"],
        None,
    ),
    "broadcast_to": (
        """
        import numpy as np
        a = np.ones((5, 4))
        np.broadcast_to(a, (5, 3))
        """,
        ["A is          a       (5, 4)", "the target is (5, 3)  (5, 3)"],
        None,
    ),
    "where": (
        """
        import numpy as np
        mask, a, b = np.ones((5, 4), bool), np.ones((5, 4)), np.ones(5)
        r = np.where(mask, a, b)
        """,
        ["A is mask  (5, 4)", "B is a     (5, 4)", "C is b     (5,)"],
        "+ r = np.where(mask, a, b[:, None])",
    ),
    "assignment to a part": (
        """
        import numpy as np
        a, b = np.ones((5, 4)), np.ones(5)
        a[1:3] = b
        """,
        ["A is          b       (5,)", "the target is a[1:3]  (2, 4)"],
        None,
    ),
    "names of other scripts": (
        """
        import numpy as np
        größe, 数 = np.ones((5, 4)), np.ones(5)
        r = "äöü", größe - 数
        """,
        ["größe", "数"],
        '+ r = "äöü", größe - 数[:, None]',
    ),
    "raise from": (
        """
        import numpy as np
        try:
            x, y = np.ones((5, 4)), np.ones(5)
            x + y
        except ValueError as error:
            raise RuntimeError("the layer failed") from error
        """,
        ["A is x  (5, 4)", "B is y  (5,)"],
        "+ x + y[:, None]",
    ),
    "an error while another is handled": (
        """
        import numpy as np
        try:
            {}["key"]
        except KeyError:
            x, y = np.ones((5, 4)), np.ones(5)
            x + y
        """,
        ["A is x  (5, 4)", "B is y  (5,)"],
        "+ x + y[:, None]",
    ),
    "a group of exceptions": (
        """
        import numpy as np
        errors = []
        def add(x, y):
            try:
                x + y
            except ValueError as error:
                errors.append(error)
        add(np.ones((5, 4)), np.ones(5))
        add(np.ones(2), np.ones(3))
        raise ExceptionGroup("both failed", [KeyError("other"), *errors])
        """,
        ["A is x  (5, 4)", "B is y  (5,)", "A is x  (2,)", "B is y  (3,)"],
        "+ x + y[:, None]",
    ),
    "a thread": (
        """
        import threading, numpy as np
        def work(x, y):
            return x + y
        thread = threading.Thread(target=work, args=(np.ones((5, 4)), np.ones(5)))
        thread.start()
        thread.join()
        """,
        ["A is x  (5, 4)", "B is y  (5,)"],
        "+ return x + y[:, None]",
    ),
    "a hook of the program's own": (
        """
        import sys, numpy as np
        previous = sys.excepthook
        def own(kind, error, trace):
            print("own hook", file=sys.stderr)
            previous(kind, error, trace)
        sys.excepthook = own
        np.ones((5, 4)) + np.ones(5)
        """,
        ["np.ones((5, 4))", "np.ones(5)"],
        None,
    ),
    "a deep recursion of calls": (
        """
        import numpy as np
        def down(depth):
            return np.ones((5, 4)) + np.ones(5) if depth == 0 else down(depth - 1)
        down(900)
        """,
        ["np.ones((5, 4))", "np.ones(5)"],
        None,
    ),
    "a generator": (
        """
        import numpy as np
        def differences(xs, y):
            for x in xs:
                yield x - y
        list(differences([np.ones((5, 4))], np.ones(5)))
        """,
        ["A is x  (5, 4)", "B is y  (5,)"],
        "+ yield x - y[:, None]",
    ),
    "a coroutine": (
        """
        import asyncio, numpy as np
        async def difference(x, y):
            await asyncio.sleep(0)
            return x - y
        asyncio.run(difference(np.ones((5, 4)), np.ones(5)))
        """,
        ["A is x  (5, 4)", "B is y  (5,)"],
        "+ return x - y[:, None]",
    ),
    "the body of a class": (
        """
        import numpy as np
        class Table:
            x, y = np.ones((5, 4)), np.ones(5)
            r = x - y
        """,
        ["A is x  (5, 4)", "B is y  (5,)"],
        "+ r = x - y[:, None]",
    ),
    "a decorator, an exit status, and very large representations": (
        """
        import numpy as np
        class Large(np.ndarray):
            def __repr__(self): raise SystemExit(77)
            __str__ = __format__ = __repr__
        x, y = np.ones((5, 4)).view(Large), np.ones(5).view(Large)
        x + y
        """,
        ["A is x  (5, 4)", "B is y  (5,)"],
        "+ x + y[:, None]",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(tmp_path: Path, name: str) -> None:
    program, expected, change = PROGRAMS[name]
    run = run_program(tmp_path, program)
    assert run.explanation.startswith("\nbroadloom: "), run.output
    for text in expected:
        assert text in run.explanation, run.explanation
    if change is not None:
        lines = [" ".join(line.split()) for line in run.explanation.splitlines()]
        assert " ".join(change.split()) in lines, run.explanation
    assert "Open: http://localhost:8080/#v=1&rule=" in run.explanation
    assert len(run.explanation) < 4000


#: Programs in which nothing is explained.
SILENT = {
    "another error": "import numpy as np\nx = np.ones(3)\nx + {}['key']",
    "a value error": "raise ValueError('shapes of clouds: none')",
    "an index": "import numpy as np\nnp.ones(3)[5]",
    "an axis": "import numpy as np\nnp.ones(3).sum(axis=4)",
    "unpacking": "a, b = (1, 2, 3)",
    "arguments": "def f(a): pass\nf(1, 2)",
    "no message": "raise ValueError",
    "a number for a message": "raise ValueError(5, None, b'bytes')",
    "a recursion": "def f(): return f()\nf()",
    "no error": "print('fine')",
    "caught": "import numpy as np\ntry:\n    np.ones(2) + np.ones(3)\nexcept ValueError:\n    print('caught')",
    "exit": "import sys\nsys.exit(3)",
    "exit with a message": "import sys\nsys.exit('bye')",
    "exit after an error": "import sys, numpy as np\ntry:\n    np.ones(2) + np.ones(3)\nexcept ValueError:\n    sys.exit(4)",
    "an interrupt": "raise KeyboardInterrupt",
    "an interrupt after an error": (
        "import numpy as np\ntry:\n    np.ones(2) + np.ones(3)\nexcept ValueError:\n    raise KeyboardInterrupt"
    ),
    "a hidden cause": (
        "import numpy as np\ntry:\n    np.ones(2) + np.ones(3)\nexcept ValueError:\n    raise KeyError('x') from None"
    ),
    "a hook that replaces it": (
        "import sys, numpy as np\nsys.excepthook = lambda *_: print('own', file=sys.stderr)\nnp.ones(2) + np.ones(3)"
    ),
    "an error that explains itself": "import broadloom\nbroadloom.add([1.0, 2.0], [1.0, 2.0, 3.0])",
    "a stream that is closed": "import sys, numpy as np\nsys.stderr = None\nnp.ones(2) + np.ones(3)",
    "a message of the program's own": "raise RuntimeError('got (2, 3) and (4,)')",
}


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_printed(tmp_path: Path, name: str) -> None:
    assert run_program(tmp_path, SILENT[name]).explanation == ""


def test_not_a_broadcast(tmp_path: Path) -> None:
    run = run_program(tmp_path, "import numpy as np\na, b = np.ones((2, 3)), np.ones((4, 5))\nr = 1 + a @ b\n")
    assert "takes whole axes, as a product of matrices does" in run.explanation
    assert "line 4 of program.py: a @ b" in run.explanation and "  b  (4, 5)" in run.explanation, run.explanation
    assert "Open:" not in run.explanation


def test_link_base(tmp_path: Path) -> None:
    program = "import numpy as np\nnp.ones(2) + np.ones(3)"
    assert "Open: https://example.org/b#v=1" in run_program(tmp_path, program, BROADLOOM_PLAYGROUND="https://example.org/b").output
    assert "Open:" not in run_program(tmp_path, program, BROADLOOM_PLAYGROUND="").output


def test_no_code_of_the_program_runs(tmp_path: Path) -> None:
    """Operands whose every method, property and item would be seen."""
    run = run_program(
        tmp_path,
        """
        import numpy as np
        class Meta(type):
            def __getattribute__(cls, name): print("meta", name); return super().__getattribute__(name)
        class Spy(metaclass=Meta):
            def __getattribute__(self, name):
                print("attribute", name)
                return object.__getattribute__(self, name)
            def __getitem__(self, key): print("item", key); return np.ones(5)
            @property
            def computed(self): print("property"); return np.ones(5)
            def __len__(self): print("len"); return 5
            def __eq__(self, other): print("eq"); return True
            def __hash__(self): print("hash"); return hash("w")
            def __repr__(self): print("repr"); return "spy"
        class Error(ValueError):
            def __str__(self): print("str"); return super().__str__()
            __repr__ = __str__
        spy = Spy()
        table = {spy: 1, "w": np.ones((5, 4))}
        print("--")
        try:
            table["w"] + (spy.computed + spy[0])
        except ValueError as error:
            raise Error("failed", spy) from error
        """,
    )
    assert run.code == 1 and 'A is table["w"]' in run.explanation and "B is spy.computed + spy[0]" in run.explanation


def test_the_hook_that_fails(tmp_path: Path) -> None:
    program = """
        import broadloom._hook.report as report, numpy as np
        def fail(*_): raise MemoryError("inside")
        report.errors_in = fail
        np.ones(2) + np.ones(3)
        """
    assert run_program(tmp_path, program).explanation == "broadloom.hook: failed, with MemoryError\n"


def test_sources_that_are_absent_or_changed(tmp_path: Path) -> None:
    absent = run_program(tmp_path, "exec('import numpy as np\\nx, y = np.ones((5, 4)), np.ones(5)\\nx + y')")
    assert "line 3 of <string>" in absent.explanation and "result  5        ?" in absent.explanation
    changed = run_program(
        tmp_path,
        """
        import numpy as np
        x, y, z = np.ones((5, 4)), np.ones(5), np.ones(4)
        open(__file__, "w").write("\\n\\n\\n\\nx + z\\n")
        x + y
        """,
    )
    assert "A is x " in changed.explanation and "B is an operand without a name" in changed.explanation
    optimized = subprocess.run(
        [sys.executable, "-X", "no_debug_ranges", "-c", "import broadloom.hook, numpy as np\nnp.ones((5, 4)) + np.ones(5)"],
        capture_output=True,
        text=True,
    )
    assert optimized.stderr.count("broadloom: Axis 1") == 1


def test_ipython(tmp_path: Path) -> None:
    pytest.importorskip("IPython")
    file = tmp_path / "cells.py"
    cells = ["%load_ext broadloom", "import numpy as np\nx, y = np.ones((5, 4)), np.ones(5)", "z = x + y", "1 / 0"]
    cells += ["import broadloom.hook", "z = x * y", "%unload_ext broadloom", "z = x / y"]
    file.write_text(
        "from IPython.core.interactiveshell import InteractiveShell\nshell = InteractiveShell.instance()\n"
        f"for cell in {cells!r}:\n    shell.run_cell(cell)\n"
    )
    run = subprocess.run([sys.executable, file], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0 and run.stdout.count("operands could not be broadcast") == 3
    assert run.stderr.count("broadloom: Axis 1") == 2
    for change in ("+ z = x + y[:, None]", "+ z = x * y[:, None]", "Change line 1 of the cell:"):
        assert change in run.stderr


ONNX = """
    import numpy as np, onnxruntime
    from onnx import TensorProto, helper
    floats = TensorProto.FLOAT
    node = helper.make_node("Add", ["x", "y"], ["z"])
    inputs = [helper.make_tensor_value_info(name, floats, shape) for name, shape in (("x", ["a", "b"]), ("y", ["c"]))]
    graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("z", floats, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # lines of its log have the time
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    left, right = np.ones((5, 4), np.float32), np.ones(5, np.float32)
    """


def test_onnx_runtime(tmp_path: Path) -> None:
    """Its text has two extents, and no shapes; a model takes only the ranks that it declares."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    for program, name in (
        ('session.run(None, {"x": left, "y": right})', "right"),
        ('feed = {"x": left, "y": right}\n    session.run(None, feed)', "y"),
    ):
        run = run_program(tmp_path, ONNX + program)
        assert re.search(rf"A is \w+ +\(5, 4\)\n +B is {name} +\(5,\)", run.explanation), run.output
        assert "B is an input of the model, which declares it with rank 1: for other axes, the model has to be changed." in run.explanation
        assert "Change" not in run.explanation and "None]" not in run.explanation and "(5, 1)" not in run.explanation
        assert "rule=onnx_multidirectional&op=Add" in run.explanation
    run = run_program(tmp_path, ONNX + 'session.run(None, {"x": left, "y": np.ones(6, np.float32)})')
    assert "np.ones(6, np.float32)[:4]})" in run.explanation and "input of the model" not in run.explanation, run.output


def test_openvino(tmp_path: Path) -> None:
    pytest.importorskip("openvino")
    run = run_program(
        tmp_path,
        """
        import numpy as np
        from openvino import opset13 as ops
        x, y = ops.parameter([5, 4], np.float32), ops.parameter([5], np.float32)
        z = ops.add(x, y)
        """,
    )
    assert "A is x  (5, 4)" in run.explanation and "B is y  (5,)" in run.explanation
    assert "+ z = ops.add(x, ops.unsqueeze(y, [1]))" in run.explanation
    program = "import numpy as np, openvino.opset13 as o\nx, y = o.parameter([5, 4], np.float32), o.parameter([5], np.float32)\n"
    assert "+ o.add(x, o.unsqueeze(y, [1]))" in run_program(tmp_path, program + "o.add(x, y)").explanation
    program += "del o\nfrom openvino.opset13 import add\nadd(x, y)"
    assert "unsqueeze" not in run_program(tmp_path, program).explanation


def test_compiled_models_of_openvino(tmp_path: Path) -> None:
    """Their text has no sizes at all; a model takes only the ranks that it declares."""
    pytest.importorskip("openvino")
    program = """
        import numpy as np, openvino
        from openvino import opset13 as ops
        x, y = ops.parameter([-1, -1], np.float32, name="x"), ops.parameter({0}, np.float32, name="y")
        compiled = openvino.Core().compile_model(openvino.Model([ops.add(x, y)], [x, y]), "CPU")
        left, right = np.ones((5, 4), np.float32), np.ones({1}, np.float32)
        request = compiled.create_infer_request()
        {2}
        """
    declared = "B is an input of the model, which declares it with rank 1: for other axes, the model has to be changed."
    for call in ("compiled([left, right])", "request.infer([left, right])", "compiled([left, right])[0].sum()"):
        run = run_program(tmp_path, program.format("[-1]", "5", call))
        assert "A is left   (5, 4)" in run.explanation and "B is right  (5,)" in run.explanation, run.output
        assert declared in run.explanation and "Change" not in run.explanation and "None]" not in run.explanation, run.output
    # A request without a name cannot be asked for its inputs.
    run = run_program(tmp_path, program.format("[-1]", "5", "compiled.create_infer_request().infer([left, right])"))
    assert "infer([left, right[:, None]])" in run.explanation and "unsqueeze" not in run.explanation, run.output
    run = run_program(tmp_path, program.format("[-1, -1]", "(5, 3)", "compiled([left, right])"))
    assert "A is left   (5, 4)" in run.explanation and "rank" not in run.explanation, run.output


def test_installing_twice_and_uninstalling(tmp_path: Path) -> None:
    program = """
        import sys, threading, broadloom, numpy as np
        if hasattr(broadloom, "hook"):
            broadloom.hook.install()
            broadloom.hook.install()
            {0}
        np.ones(2) + np.ones(3)
        """
    assert run_program(tmp_path, program.format("pass")).explanation.count("broadloom:") == 1
    checked = "broadloom.hook.uninstall(); assert (sys.excepthook, threading.excepthook) == (sys.__excepthook__, threading.__excepthook__)"
    assert run_program(tmp_path, program.format(checked)).explanation == ""
    again = "broadloom.hook.uninstall(); broadloom.hook.uninstall(); broadloom.hook.install()"
    assert run_program(tmp_path, program.format(again)).explanation.count("broadloom:") == 1


def explained(error: BaseException) -> str:
    text = broadloom.hook.explain_error(error)
    assert text is not None
    return text


def test_explain_error() -> None:
    x, y = np.ones((5, 4)), np.ones(5)
    with pytest.raises(ValueError) as caught:
        x + y
    assert "A is x  (5, 4)" in explained(caught.value)
    for other in (ValueError("x"), KeyboardInterrupt(), SystemExit(1), BaseException("x"), BaseExceptionGroup("g", [SystemExit()])):
        assert broadloom.hook.explain_error(other) is None
    # A chain that leads to itself.
    a, b = ValueError("a"), ValueError("b")
    a.__context__, b.__cause__ = b, a
    assert broadloom.hook.explain_error(a) is None


#: Expressions of every form, of shape (5,), as operands beside x (5, 4).
FORMS = [
    "(x**2).sum(axis=1)**.5", "(x + 1.).sum(axis=1)", "(x).mean(axis=-1)", "np.mean(x * .5, axis=1)", "x.max(axis = (1,))", "np.linalg.norm(x + 2., axis=1)",
    ".5 * b", "2. * b", "1e-3 * b", "1j * b", "0x1F * b", "1_0 * b", "-b", "~n", "b @ np.eye(5)", "b // 1", "(b < 2.)", "not_list", "(None or b)", "(b if 1. else x)",
    "[v for v in b]", "[*b]", "(*b,)", "[1., 2., 3., 4., 5.]", "(1., 2., 3., 4., 5.)", "range(5)", "held", "held * 1", "pair[0]", "pair[i]", "obj.row", "obj.row.T",
    "np.array([v for v in b])", "np.fromiter((v for v in b), float)", "np.fromiter({v: 1. for v in range(5)}, float)", "np.array(sorted({v for v in range(5)}))",
    "(lambda: b)()", "min({1.}) * b", "(lambda v=.5: v * b)()", "list(map(lambda v: v, b))", "(kept := b * 1.)", "call(*[b])", "call(**{'v': b})", "call(v=b)", "obj.mean(axis=1)",
    "table[f\"{'k'}{1:>1}\"]", "table['k1']", "{1.: b}[1.]", "{'a.b/c': b}['a.b/c']", "x[:, 0]", "x[..., 1]", "b[::-1]", "b[b > -1.]", "b[[0, 1, 2, 3, 4]]",
    "np.where(b > .5, b, -b)", "größe", "größe.copy()", "table['ä']", "(yield b)", "(yield from given(b))", "(await later(b))", "b[\n    ::1\n]", "(b\n  # a comment\n  + 1.)",
    "np.array(\"\"\"1 2 3 4 5\"\"\".split(), float)", "sum([b, b], .0)", "obj . row", "b.astype(float).mean(axis=(), keepdims=False)",
]  # fmt: skip


def applied(program: str, text: str) -> str | None:
    """A program after the change that an explanation shows; None if it shows none."""
    found = re.search(r"^Change line (\d+) of .*?:\n((?:  - .*\n)+)((?:  \+ .*\n)+)", text, re.MULTILINE)
    if found is None:
        return None
    lines, at = program.splitlines(), int(found[1]) - 1
    old, new = ([line[4:] for line in part.splitlines()] for part in found.groups()[1:])
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    assert [line.strip() for line in lines[at : at + len(old)]] == [line.strip() for line in old]
    return "\n".join(lines[:at] + [indent + line for line in new] + lines[at + len(old) :]) + "\n"


class Row:
    def __init__(self) -> None:
        self.row = np.ones(5)

    def mean(self, axis: int) -> Any:
        return [1.0] * 5


def given(value: Any) -> Any:
    yield
    return value


async def later(value: Any) -> Any:
    return value


def run_form(program: str) -> Any:
    """What f of a program returns, however it is suspended."""
    filename = f"<form {hash(program)}>"
    linecache.cache[filename] = (len(program), None, program.splitlines(True), filename)
    b = np.ones(5)
    names: dict[str, Any] = {
        "np": np, "x": np.ones((5, 4)), "b": b, "n": np.ones(5, int), "obj": Row(), "table": {"k1": b, "ä": b}, "held": [1.0] * 5, "not_list": b.tolist(),
        "pair": [[1.0] * 5, 1], "i": 0, "call": lambda v: v, "größe": b, "given": given, "later": later,
    }  # fmt: skip
    exec(compile(program, filename, "exec"), names)
    running = names["f"]()
    if not hasattr(running, "send"):
        return running
    try:
        sent = None
        while True:
            running.send(sent)
            sent = b
    except StopIteration as end:
        return end.value


def test_every_form_is_listed() -> None:
    seen = {type(node) for form in FORMS for node in ast.walk(ast.parse(form))}
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice", "TemplateStr", "Interpolation"}
    assert {kind.__name__ for kind in ast.expr.__subclasses__()} - {kind.__name__ for kind in seen} <= old


@pytest.mark.parametrize("statement", ["r = x - {}", "r = np.subtract(x, {})", "r = ({}) * x", "s = f'{{(r := x - {})}}'"])
@pytest.mark.parametrize("form", FORMS)
def test_changes_of_every_form(statement: str, form: str) -> None:
    """The change is a program that gives the shape that is meant, and has the operand's own text."""
    program = f"{'async ' if 'await' in form else ''}def f():\n    {statement.format(form)}\n    return r\n"
    try:
        ast.parse(program)
    except SyntaxError:
        return  # quotes or lines that formatted strings do not take
    with pytest.raises((ValueError, TypeError)) as caught:
        run_form(program)
    if caught.type is TypeError:
        return  # subtracts what is no number
    text = explained(caught.value)
    changed = applied(program, text)
    if changed is None:
        assert "f'" in statement or "\n" in form, text
        return
    own = ast.dump(ast.parse(f"({form.strip()})", mode="eval").body)
    kept = {ast.dump(node) for node in ast.walk(ast.parse(changed))}
    assert own in kept or "keepdims=True" in changed, text
    assert run_form(changed).shape == (5, 4), changed


def test_long_lines() -> None:
    """A change is shown whole, or not at all."""
    for count, is_shown in ((15, True), (80, False)):
        program = f"def f():\n    return x - ({' + '.join(['1. * b'] * count)})\n"
        with pytest.raises(ValueError) as caught:
            run_form(program)
        changed = applied(program, explained(caught.value))
        assert (changed is not None) == is_shown and "…" not in (changed or "")
        assert changed is None or run_form(changed).shape == (5, 4)


def test_changes_of_methods() -> None:
    """The program's own methods need not take keepdims."""
    with pytest.raises(ValueError) as caught:
        run_form("def f():\n    return x - obj.mean(axis=1)\n")
    assert "+ return x - np.asarray(obj.mean(axis=1))[:, None]" in explained(caught.value)

    class Own(np.ndarray):
        def mean(self, axis: int) -> Any:  # type: ignore[override]
            return np.asarray(self).mean(axis)

    own = np.ones((5, 4)).view(Own)
    with pytest.raises(ValueError) as caught:
        own - own.mean(axis=1)
    assert "+ own - np.asarray(own.mean(axis=1))[:, None]" in explained(caught.value)


@pytest.mark.parametrize(("first", "named"), [("", None), ("import numpy\n", "numpy"), ("import numpy as xp, numpy as np\n", "np")])
def test_lists(first: str, named: str | None) -> None:
    program = first + "w = [1., 2., 3., 4., 5.]\nr = x * w\n"
    filename = f"<lists {first}>"
    linecache.cache[filename] = (len(program), None, program.splitlines(True), filename)
    with pytest.raises(ValueError) as caught:
        exec(compile(program, filename, "exec"), {"x": np.ones((5, 4))})
    text = explained(caught.value)
    assert ("Change" in text) == (named is not None)
    assert named is None or f"+ r = x * {named}.asarray(w)[:, None]" in text


def test_errors_of_other_processes(tmp_path: Path) -> None:
    """The frame that failed is in the other process: no name of this one is an operand."""
    program = """
        import multiprocessing, concurrent.futures, numpy as np
        def work(n):
            x, B = np.ones((5, 4)), np.ones(n)
            return x - B
        if __name__ == "__main__":
            with {0}(1) as pool:
                {1}
        """
    pools = {
        "multiprocessing.Pool": ["pool.apply(work, (5,))", "pool.map(work, [5])", "pool.apply_async(work, (5,)).get()"],
        "concurrent.futures.ProcessPoolExecutor": ["pool.submit(work, 5).result()", "list(pool.map(work, [5]))"],
    }
    for pool, calls in pools.items():
        for call in calls:
            file = tmp_path / "program.py"
            file.write_text("import broadloom.hook\n" + textwrap.dedent(program).format(pool, call))
            run = subprocess.run([sys.executable, file.name], cwd=tmp_path, capture_output=True, text=True, timeout=300)
            text = run.stderr[run.stderr.index("\nbroadloom: ") :]
            assert "Axis 1: B has 5" in text and "received at line 9 of program.py" in text, run.stderr
            assert " is " not in text.partition("Likely cause")[0].partition("\n\n")[2] and "Change" not in text, text


def test_functions_that_are_no_systems() -> None:
    """What such a function is given need not be what failed."""
    import functools

    rows = [np.ones((5, 4)), np.ones(5)]
    for call in (lambda: functools.reduce(np.subtract, iter(rows)), lambda: list(map(np.subtract, *[[row] for row in rows]))):
        with pytest.raises(ValueError) as caught:
            call()
        assert "Change" not in explained(caught.value) and "A is" not in explained(caught.value)


NUMPY_TEXT = "operands could not be broadcast together with shapes (2,3) (2,)"


def test_operators_in_place() -> None:
    """NumPy has no target_shape."""
    accumulated = np.ones(3)
    with pytest.raises(ValueError) as caught:
        accumulated *= np.ones((2, 3)) + 1
    text = explained(caught.value)
    assert "The result of the operator has shape (2, 3). In place, it has to have the target's own shape (3,)." in text
    assert "  accumulated = accumulated * (np.ones((2, 3)) + 1) (a new array)  gives (2, 3)" in text
    assert "the target  - insert   3 match" in text and "target_shape" not in text and "Broadcast-3" not in text
    for fail in ("accumulated -= np.ones(2)", "accumulated[1:] = np.ones(3)", "np.broadcast_to(accumulated, (2, 4))", "held.x += np.ones((2, 3))"):
        names: dict[str, Any] = {"np": np, "accumulated": np.ones(3), "held": Row()}
        names["held"].x = np.ones(3)
        with pytest.raises(ValueError) as caught:
            exec(fail, names)
        text = explained(caught.value)
        assert "Broadcast-3" not in text and "target_shape" not in text, text
        assert "never the target." in text, text


def test_errors_of_other_classes() -> None:
    """NumPy raises ValueError: a text like its own in another error is something else, such as a key."""

    class Own(ValueError):
        pass

    for error in (KeyError(NUMPY_TEXT), RuntimeError(NUMPY_TEXT), AssertionError(NUMPY_TEXT), OSError(2, NUMPY_TEXT)):
        assert broadloom.hook.explain_error(error) is None
    assert "A" in explained(ValueError(NUMPY_TEXT)) and "A" in explained(Own(NUMPY_TEXT))
    for texts in ("size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1",):
        assert broadloom.hook.explain_error(KeyError("The " + texts)) is None
        assert "the extents 3 and 4" in explained(RuntimeError("The " + texts))
    a = np.ones(5)
    for mask in (np.ones(3, bool), np.ones((5, 1), bool)):
        with pytest.raises(IndexError) as caught:
            a[mask]
        assert broadloom.hook.explain_error(caught.value) is None
        with pytest.raises(IndexError) as caught:
            a[mask] = 2
        assert broadloom.hook.explain_error(caught.value) is None
    with pytest.raises(IndexError) as caught:
        np.ones((5, 5))[np.arange(3), np.arange(2)]  # indices are broadcast
    assert "B has 2" in explained(caught.value)


def test_values() -> None:
    assert shape_of([[1, 2], [3, 4]]) == (2, 2) and shape_of([[1], [2, 3]]) is None and shape_of(["a"]) is None
    assert shape_of([]) == (0,) and shape_of([0] * 20_000) is None
    assert shape_of(np.float32(1)) == () and shape_of(np.ma.ones((2, 3))) == (2, 3)

    class Own:
        shape = (1, 2)
        kept = 5
        __slots__ = ("slot", "empty", "__dict__")

        @property
        def computed(self) -> int:
            raise AssertionError

        def __getattr__(self, name: str) -> int:
            raise AssertionError

    assert shape_of(Own()) is None
    own = Own()
    own.slot, own.own = 6, 7  # type: ignore[attr-defined]
    assert [attribute_of(own, name) for name in ("kept", "slot", "own")] == [5, 6, 7]
    assert attribute_of(np, "pi") == np.pi and attribute_of(Own, "kept") == 5
    for name in ("computed", "absent", "empty", "__class__"):
        assert attribute_of(Own(), name) is MISSING
    assert item_of([1, 2], -1) == 2 and item_of({"a": 1, True: 3, 1.5: 4}, "a") == 1
    for owner, key in [([1], 1), ([1], "a"), ({"a": 1}, "b"), ({"a": 1}, 1.5), (np.ones(3), 0), (5, 0)]:
        assert item_of(owner, key) is MISSING


EXPRESSIONS = [
    "a", "a.T", "-a", "a + b", "a + a[0]", "a @ a.T", "a[0]", "a[:, 0]", "a[None]", "a[..., None]", "a[1:]", "a[::-1, :2]", "a[-1, -2]",
    "a.mean(axis=1)", "a.mean(axis=1, keepdims=True)", "a.sum()", "a.sum(0)", "a.sum((0, -1))", "np.mean(a, axis=0)", "a.std(-1)",
    "c.max(axis=(0, 2), keepdims=True)", "np.exp(a)", "np.add(a, b)", "a.reshape(-1)", "a.reshape(3, -1)", "a.reshape((2, 6))",
    "np.expand_dims(b, 0)", "a.ravel()", "np.ones((2, 3))", "np.zeros(4)", "a < b", "a.astype(np.int8)", "a[i]", "c[i, j:]",
    "d['x'][1]", "np.where(a > 0, a, b)", "a[[0, 1]]", "a[a > 0]", "len(a)", "a.tolist()", "a[..., ..., 0]", "a[7]", "a + c[0, 0, :3]",
    "np.random.rand(2, 3)", "a.reshape(5, 5)", "a.sum(axis=9)", "c @ a.T", "b @ b", "a @ b", "(a + 1).mean(0) * 2", "5", "x", "np.max(a, 0)",
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_shapes_of_expressions(tmp_path: Path, expression: str) -> None:
    """A shape that is derived is that of the value, and most are derived."""
    names: dict[str, Any] = {
        "np": np, "a": np.ones((3, 4)), "b": np.ones(4), "c": np.ones((2, 3, 4)), "i": 1, "j": 2, "d": {"x": [1, np.ones((7, 1))]},
    }  # fmt: skip
    file = tmp_path / "names.py"
    file.write_text(expression + "\n")
    source = read_source(str(file))
    node = ast.parse(expression, mode="eval").body
    assert source is not None

    class Frame:
        f_locals = names
        f_globals = names
        f_code = (lambda: 0).__code__

    derived = View(Frame(), source).shape(node)  # type: ignore[arg-type]
    try:
        value = eval(expression, dict(names))
    except Exception:
        assert derived is None
        return
    unknown = ("a[[0, 1]]", "a[a > 0]", "len(a)", "a.tolist()", "np.where(a > 0, a, b)", "d")
    assert derived == (None if expression in unknown else np.shape(value))


def random_expression(rng: np.random.Generator, levels: int) -> str:
    def inner() -> str:
        return random_expression(rng, levels - 1)

    if levels == 0 or rng.random() < 0.2:
        return str(rng.choice(["a", "b", "c", "obj.d", "obj.table['e']", "rows[0]", "rows[-1]", "2", "None", "'text'", "obj"]))
    forms: list[Any] = [
        lambda: f"({inner()} {rng.choice(['+', '-', '*', '/', '<', '==', '@', '%', '|'])} {inner()})",
        lambda: f"np.{rng.choice(['add', 'maximum', 'exp', 'where', 'subtract', 'concatenate', 'dot'])}({inner()}, {inner()})",
        lambda: f"{inner()}.{rng.choice(['mean', 'sum', 'reshape', 'max', 'ravel'])}({rng.choice(['', '0', '1', '-1', '(0, 1)', 'axis=1'])})",
        lambda: f"{inner()}[{rng.choice(['0', '-1', 'None', ':', '1:', '..., None', ':, 0', '::-1', 'a', '99'])}]",
        lambda: f"-{inner()}",
        lambda: f"{inner()}.T",
        lambda: f"np.broadcast_to({inner()}, {rng.choice(['(2, 3)', '(3,)', '4', 'c'])})",
        lambda: f"[{inner()} for _ in range(2)][0]",
        lambda: f"(lambda v: v + {inner()})({inner()})",
        lambda: f"np.add({inner()},\n  {inner()}, out={inner()})",
    ]
    return str(forms[int(rng.integers(len(forms)))]())


def test_random_programs() -> None:
    """What is printed of random programs is true: each named operand has the shape that is printed."""
    rng = np.random.default_rng(5)
    explanations = named = changes = 0
    for count in range(600):

        class Holder:
            d = np.ones((3, 1))
            table = {"e": np.ones((2, 3))}

        names: dict[str, Any] = {
            "np": np, "a": np.ones((2, 3)), "b": np.ones(4), "c": np.ones((4, 1, 3)), "obj": Holder(), "rows": [np.ones(3), np.ones((5, 2))]
        }  # fmt: skip
        statement = rng.choice(["r = {}", "a -= {}", "a[0] = {}", "a[{}] = b", "assert {}", "r = {}, {}"])
        program = statement.replace("{}", random_expression(rng, 3), 1).replace("{}", random_expression(rng, 3))
        filename = f"<random {count}>"
        linecache.cache[filename] = (len(program), None, program.splitlines(True), filename)
        try:
            with warnings.catch_warnings(action="ignore"):
                exec(compile(program, filename, "exec"), names)
        except Exception as error:
            text = broadloom.hook.explain_error(error)
        else:
            continue
        finally:
            del linecache.cache[filename]
        explanations += text is not None
        changed = None if text is None else applied(program, text)
        if changed is not None:
            changes += 1
            known = {"np", "obj", "rows", "a", "b", "c", "_", "v", "r", "range"}
            assert {node.id for node in ast.walk(ast.parse(changed)) if isinstance(node, ast.Name)} <= known, f"{program}\n{text}"
        for name, shape in re.findall(r"^  (?:[A-Z]|the target) is +(.*?) {2,}(\([\d, ]*\))$", text or "", re.MULTILINE):
            if name == "an operand without a name" or "v" in name or name.startswith("("):
                continue
            named += 1
            assert str(np.shape(eval(name, names))) == shape, f"{program}\n{text}"
    assert explanations > 100 and named > 100 and changes > 5


def test_random_messages() -> None:
    """Any text, and any arguments, are read without an error."""
    rng = np.random.default_rng(6)
    words = "operands could not be broadcast together with shapes (2,3) (4,) [ ] ( ) , -1 99999999999999999999 None size of tensor "
    words += "a (3) must match the b at non-singleton dimension 1 Incompatible for broadcasting: and requested shape \x00 é \ud800 ? {{node x}}"
    choices = np.array(words.split(" "))
    for _ in range(3000):
        text = " ".join(rng.choice(choices, int(rng.integers(1, 25))))
        for error in (ValueError(text), RuntimeError(5, text), TypeError([text]), ExceptionGroup(text or "g", [ValueError(text)])):
            broadloom.hook.explain_error(error)


@pytest.mark.parametrize("name", ["hook", "_hook.values", "_hook.question", "_hook.judgement", "_strict"])
def test_docstrings(name: str) -> None:
    module = importlib.import_module(f"broadloom.{name}")
    # Examples are code of a program, not of the package.
    own = {"__name__": "__main__"}
    result = doctest.testmod(module, extraglobs=own, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert result.failed == 0 and result.attempted > 0


def test_readme(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    found = re.search(r"^```python\nimport broadloom.hook\n(.*?)```\n\n```text\n(.*?)```", readme, re.MULTILINE | re.DOTALL)
    assert found
    printed = run_program(tmp_path, found[1]).output.replace(str(tmp_path) + "/", "")
    assert without_marks(printed) == without_marks(found[2])


def without_marks(text: str) -> str:
    """A text without the lines of marks in its traceback, which each version of Python sets otherwise."""
    trace, line, rest = text.partition("\nValueError: ")
    assert line
    return re.sub(r"\n +[~^]+(?=\n|$)", "", trace) + line + rest


def test_under_pytest(tmp_path: Path) -> None:
    """The lines of the README, and the whole text in the report."""
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    found = re.search(r"```python\n(  import pytest\n.*?)  ```", readme, re.DOTALL)
    assert found
    (tmp_path / "conftest.py").write_text(textwrap.dedent(found[1]))
    (tmp_path / "test_it.py").write_text("import numpy as np\ndef test_it():\n    x, y = np.ones((5, 4)), np.ones(5)\n    x + y\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(tmp_path)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1 and "A is x  (5, 4)" in run.stdout and "+ x + y[:, None]" in run.stdout, run.stdout


def test_threads_that_fail_together() -> None:
    def work(errors: list[str]) -> None:
        x, y = np.ones((5, 4)), np.ones(5)
        try:
            x + y
        except ValueError as error:
            errors.append(explained(error))

    errors: list[str] = []
    threads = [threading.Thread(target=work, args=(errors,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 8 and len(set(errors)) == 1


def test_names_of_comprehensions() -> None:
    """From Python 3.12 on, the frame has the outer value of such a name again when the exception has left it."""
    a, b = np.ones((2, 3)), np.ones((5, 4))
    with pytest.raises(ValueError) as caught:
        [b + 2 * a for a in [np.ones(5)]]
    text = explained(caught.value)
    assert "A is b      (5, 4)\n" in text and "B is 2 * a  (5,)\n" in text and a.shape == (2, 3)
