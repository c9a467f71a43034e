"""Rules of the house that no linter knows: sizes of files and functions, names of classes, examples, private imports.

Exits with 1 and one line for each broken rule.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "cutwise"
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
# The one file that may know what scikit-learn keeps to itself or has only in some versions.
SCIKIT_LEARN = "scikit_learn.py"
ONLY_IN_SOME = "sklearn.callback"


def long_files(path: Path, text: str) -> list[str]:
    """Find a file that is too long to read in one go."""
    lines = text.count("\n")
    return [f"{path}: {lines} lines, at most {MAX_FILE_LINES}"] if lines > MAX_FILE_LINES else []


def long_functions(path: Path, tree: ast.Module) -> list[str]:
    """Find functions whose body, without the docstring, does not fit on a screen."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        body = node.body[1:] if ast.get_docstring(node) else node.body
        size = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
        if size > MAX_FUNCTION_LINES:
            found.append(f"{path}:{node.lineno}: {node.name} has {size} lines, at most {MAX_FUNCTION_LINES}")
    return found


def classes_without_example(path: Path, tree: ast.Module, public: set[str]) -> list[str]:
    """Find public estimators whose docstring shows no example."""
    return [
        f"{path}:{node.lineno}: {node.name} has no example"
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and node.name in public
        and node.name.endswith(("Discretizer", "Classifier"))
        and ">>>" not in (ast.get_docstring(node) or "")
    ]


def repeated_classes(trees: dict[Path, ast.Module]) -> list[str]:
    """Find public classes that share their name with another one, so that only the folder tells them apart."""
    places: dict[str, list[str]] = {}
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(f"{path}:{node.lineno}")
    return [f"{name} is the name of several classes: {', '.join(at)}" for name, at in places.items() if len(at) > 1]


def private_imports(path: Path, tree: ast.Module) -> list[str]:
    """Find imports of what scikit-learn keeps to itself, or has only in some versions, outside of the file for them."""
    if path.name == SCIKIT_LEARN:
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        found += [
            f"{path}:{node.lineno}: {name} may be imported in {SCIKIT_LEARN} only"
            for name in names
            if name.startswith("sklearn.") and ("._" in name or f"{name}.".startswith(f"{ONLY_IN_SOME}."))
        ]
    return found


def public_names() -> set[str]:
    """Return the names that the library exports, as the stub has them."""
    tree = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    return {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}


def main() -> int:
    """Check every file of the library."""
    broken, public, trees = [], public_names(), {}
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        name = path.relative_to(ROOT)
        trees[name] = tree
        broken += long_files(name, text) + long_functions(name, tree) + classes_without_example(name, tree, public)
        broken += private_imports(name, tree)
    broken += repeated_classes(trees)
    for line in broken:
        print(line)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
