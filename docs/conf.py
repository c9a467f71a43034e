"""How the site is built: ``make docs``."""

from __future__ import annotations

import inspect
import os
import runpy
from pathlib import Path
from typing import Any

from docutils import nodes

import cutwise

HERE = Path(__file__).parent

project = "cutwise"
author = "The cutwise developers"
project_copyright = "the cutwise developers, BSD-3-Clause"
# Set by tools/site.py, which puts the pages of each version into a folder of its own.
site_version = os.environ.get("CUTWISE_DOCS_VERSION")
version = release = site_version or cutwise.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery/*.ipynb", "gallery/*.md5", "gallery/*.py", "**/sg_execution_times.rst"]
templates_path = ["_templates"]
highlight_language = "none"
smartquotes = False

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "min_reported_time": 1e9,
    "show_signature": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "cutwise"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"**": ["pages.html"]}
# Pages that can be downloaded as notebooks.
html_context = {"notebooks": [f"guide/{path.stem}" for path in sorted((HERE / "guide").glob("*.md"))]}
html_theme_options = {
    "article_footer_items": ["notebook"],
    "logo": {"text": "cutwise"},
    "navbar_center": [],
    "navbar_end": ["theme-switcher"],
    "navigation_with_keys": False,
    "secondary_sidebar_items": {
        "*": ["page-toc"],
        "gallery/*": ["page-toc"],
        "generated/*": ["page-toc"],
        "guide/*": ["page-toc"],
        "index": [],
    },
    "footer_start": ["copyright"],
    "footer_end": [],
}
if site_version:
    html_theme_options |= {
        "navbar_start": ["navbar-logo", "version-switcher"],
        "switcher": {"json_url": "../versions.json", "version_match": site_version},
        "check_switcher": False,
        "show_version_warning_banner": True,
    }


def is_foreign(*event: Any) -> bool | None:
    """Leave out what a class has from scikit-learn or Python: its description links to pages that are not here."""
    member = event[3]
    found = member.fget if isinstance(member, property) else inspect.unwrap(member) if callable(member) else member
    return True if not str(getattr(found, "__module__", "")).startswith("cutwise") else None


def without_last_line(app: Any, doctree: Any) -> None:  # noqa: ARG001
    """Drop the empty line at the end of a block of code, which only the tests of the pages need."""
    for block in doctree.findall(nodes.literal_block):
        block.rawsource = block.astext().rstrip()
        block[:] = [nodes.Text(block.rawsource)]


def write_notebooks(app: Any, error: Exception | None) -> None:
    """Put the notebooks of the guides beside the pages."""
    if error is None and app.builder.format == "html":
        write = runpy.run_path(str(HERE / "make_notebooks.py"))["write_notebook"]
        for name in html_context["notebooks"]:
            write(HERE / f"{name}.md", Path(app.outdir) / "notebooks" / f"{Path(name).name}.ipynb")


def setup(app: Any) -> None:
    """Tell Sphinx what to leave out, and what to write beside the pages."""
    app.connect("build-finished", write_notebooks)
    app.connect("autodoc-skip-member", is_foreign)
    app.connect("doctree-read", without_last_line)
