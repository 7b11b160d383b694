"""Every example in a docstring and in the README gives what is written there."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import broadloom

ROOT = Path(__file__).parents[1]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", ["broadloom", "broadloom._alignment", "broadloom._errors"])
def test_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 3


def test_functions_of_the_core_have_examples() -> None:
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner(optionflags=FLAGS)
    for name in ("apply", "broadcast_to", "broadcast", "sum_to", "infer_shape", "plan"):
        [test] = finder.find(getattr(broadloom, name), name, module=False, globs={})
        assert test.examples, name
        runner.run(test)
    assert runner.failures == 0


def test_every_public_name_is_documented() -> None:
    for name, value in vars(broadloom).items():
        if callable(value) and not name.startswith("_"):
            assert value.__doc__, name


def test_readme() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 20


def shows(value: object, comment: str) -> None:
    """What `print(value)  # comment` claims; a comment may end with " ..."."""
    text = str(value).splitlines()[0]
    assert text == comment or (comment.endswith(" ...") and text.startswith(comment.removesuffix(" ...")))


@pytest.mark.parametrize("document", ["README.md", "docs/scale.md"])
def test_documents_of_the_project(document: str, tmp_path: Path) -> None:
    text = (ROOT.parent / document).read_text()
    examples = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        claims = re.sub(r"^( *)print\((.*)\)  # (.*)$", r"\1shows(\2, '\3')", example, flags=re.MULTILINE)
        exec(claims, {"shows": shows, "folder": str(tmp_path)})
