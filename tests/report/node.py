"""Run the page's modules without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from cutwise.report import html

FOLDER = html.files("cutwise.report").joinpath("page")
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None, reason="node is not installed; it runs the page's scripts without a browser"
)
# The attributes of a page, for programs that see it as `data.page`.
MAKE = (
    "const { page } = data; const attributes = page.attributes.map((item, i) => new EditableAttribute(item, i, page));"
)


def run_modules(imports, body, data):
    """Return what `body`, a piece of JavaScript that sees `data` and the imported names, returns."""
    lines = [
        f"import {{ {', '.join(names)} }} from {json.dumps(FOLDER.joinpath(f'{module}.js').as_uri())};"
        for module, names in imports.items()
    ]
    program = (
        "".join(lines) + "let text = ''; for await (const part of process.stdin) text += part;"
        f"const data = JSON.parse(text); const result = (() => {{ {body} }})();"
        "process.stdout.write(JSON.stringify(result));"
    )
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", program],
        input=json.dumps(data),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
