"""The types: a file that mypy checks, and stubs that agree with the module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, *arguments], cwd=HERE.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_programs_are_checked() -> None:
    run("-m", "mypy", "--strict", "--warn-unused-ignores", "tests/typed.py")


def test_the_package_is_typed() -> None:
    run("-m", "mypy", "--strict", "-p", "broadloom")


def test_stubs_agree_with_the_module() -> None:
    run("-m", "mypy.stubtest", "broadloom._core", "--allowlist", "tests/stubtest-allowlist.txt")


def test_stubs_are_made_from_the_core() -> None:
    run("generate_stubs.py", "--check")


def test_the_program_runs() -> None:
    # All of it but the lines that mypy has to refuse.
    lines = (HERE / "typed.py").read_text().splitlines()
    exec("\n".join(line for line in lines if "type: ignore" not in line), {})
