"""Runs programs with and without the hook, and takes apart what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Run:
    code: int
    output: str
    #: What the hook printed behind everything else; empty if nothing.
    explanation: str


def _run(file: Path, source: str, options: dict[str, str]) -> subprocess.CompletedProcess[str]:
    file.write_text(source)
    environment = {name: value for name, value in os.environ.items() if name != "BROADLOOM_PLAYGROUND"} | options
    return subprocess.run(
        [sys.executable, file.name], cwd=file.parent, capture_output=True, text=True, env=environment, timeout=300
    )


def run_program(folder: Path, program: str, **options: str) -> Run:
    """Runs a program of Python, and again with the hook, which must change nothing and may only add to what is printed.

    The line that imports it stands above the program.
    """
    file = folder / "program.py"
    source = textwrap.dedent(program).removeprefix("\n")
    plain = _run(file, f"import broadloom\n{source}", options)
    hooked = _run(file, f"import broadloom.hook\n{source}", options)
    for run in (plain, hooked):  # TensorFlow's copies of functions have random names
        run.stderr = re.sub(r"__autograph_generated_file\w+", "__autograph_generated_file", run.stderr)
    assert hooked.returncode == plain.returncode
    assert hooked.stdout == plain.stdout
    assert hooked.stderr.startswith(plain.stderr), f"{plain.stderr}\n-- with the hook:\n{hooked.stderr}"
    return Run(hooked.returncode, hooked.stderr, hooked.stderr[len(plain.stderr) :])
