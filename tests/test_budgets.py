"""What a start may load and what the package may weigh (promise 29); times are measured by `make bench-guard`."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import cutwise

SOURCE = Path(cutwise.__file__).parent
# Lists instead of times: a module that is loaded costs the same share of a start on every machine.
PROGRAM = """
import json, sys
before = set(sys.modules)
{program}
new = set(sys.modules) - before
own = sorted(name for name in new if name.split(".")[0] == "cutwise")
others = sorted({{name.split(".")[0] for name in new}} - set(sys.stdlib_module_names) - {{"cutwise"}})
sys.stdout.write("\\n" + json.dumps([own, [name for name in others if not name.startswith("_")]]))
"""
HELP = """
import contextlib
from cutwise.cli import main
sys.argv = ["cutwise", *{arguments}]
with contextlib.suppress(SystemExit):
    main()
"""
OF_CLI = {
    "annotated_doc",
    "click",
    "markdown_it",
    "mdurl",
    "pygments",
    "rich",
    "shellingham",
    "typer",
    "typing_extensions",
}


def loaded(program):
    """Return the library's own modules that a program loads, and the other libraries."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(program=program)], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_importing_loads_the_names_alone():
    assert loaded("import cutwise") == [["cutwise", "cutwise.registry"], []]


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["apply", "--help"], ["--version"]])
def test_help_of_the_command_line_loads_no_arrays(arguments):
    own, others = loaded(HELP.format(arguments=arguments))
    assert set(others) <= OF_CLI
    assert len(own) <= 45, own


def test_a_scheme_needs_no_compiler_and_no_table_library():
    _, others = loaded("from cutwise import Scheme")
    assert not set(others) & {"numba", "llvmlite", "pandas", "polars", "pyarrow", "scipy", "matplotlib"}


def test_the_package_stays_small():
    """The files that a wheel holds, compressed as there."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(SOURCE.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(SOURCE))
    assert len(out.getvalue()) < 1_200_000
