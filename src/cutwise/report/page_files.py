"""The style and the scripts of the page, from the files in `page`."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from cutwise.report.colours import N_COLOURS, PICTURE_STYLE
from cutwise.report.markup import Markup

# In the order in which they need each other.
SCRIPTS = (
    "numbers",
    "measures",
    "attribute",
    "limits",
    "edits",
    "scheme",
    "history",
    "elements",
    "scale",
    "chart",
    "path",
    "bins",
    "facts",
    "panel",
    "overview",
    "toolbar",
    "main",
)
STYLES = ("page", "new_rows", "chart", "editor")
_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=(?:function|class) (\w+))", re.MULTILINE)


@cache
def page_style() -> Markup:
    """Return the style of the whole page."""
    shares = "".join(f".part-{part}{{--part:{part}%}}" for part in range(101))
    names = [*map(str, range(1, N_COLOURS + 1)), "other", "soft"]
    tints = "".join(f".tint-{name}{{--tint:var(--cutwise-{name})}}" for name in names)
    fills = "".join(f".chart .fill-{name}{{fill:var(--cutwise-{name})}}" for name in names)
    return Markup("\n".join([PICTURE_STYLE, shares + tints + fills, *(_text(f"{name}.css") for name in STYLES)]))


@cache
def page_script() -> Markup:
    """Return all modules as one script: they import each other from files, which a page does not have."""
    return Markup("\n".join(_as_block(_text(f"{name}.js")) for name in SCRIPTS))


def _as_block(module: str) -> str:
    """Return a module as a block that keeps its names to itself, apart from those it exports."""
    exported = ", ".join(_EXPORT.findall(module))
    body = _EXPORT.sub("", _IMPORT.sub("", module))
    return f"const {{ {exported} }} = (() => {{\n{body}return {{ {exported} }};\n}})();"


def content_policy() -> str:
    """Return what the page may do: run its own script and use its own style, nothing else."""
    script, style = _hash(page_script()), _hash(page_style())
    return f"default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"


def _text(name: str) -> str:
    return files("cutwise.report").joinpath("page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
