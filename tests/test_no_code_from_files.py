"""Nothing in the library can run code that comes from a file (promise 17)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import cutwise

SOURCE = Path(cutwise.__file__).parent
MODULES = {
    "_pickle",
    "cloudpickle",
    "code",
    "codeop",
    "dill",
    "jsonpickle",
    "marshal",
    "pickle",
    "pickletools",
    "runpy",
}
MODULES |= {"ruamel", "shelve", "skops", "yaml"}
# Of these modules only what is named here may be used: the rest can load pickles.
PARTS = {"joblib": {"effective_n_jobs", "cpu_count"}}
CALLS = {
    *("builtins.compile", "builtins.eval", "builtins.exec", "builtins.__import__"),
    *("numpy.load", "numpy.memmap", "numpy.fromfile", "numpy.lib.format.read_array", "numpy.lib.npyio.NpzFile"),
    *("pandas.read_pickle", "pandas.read_hdf", "torch.load", "torch.jit.load", "torch.package.PackageImporter"),
    *("importlib.util.spec_from_file_location", "importlib.machinery.SourceFileLoader"),
}
# By these names no object may be asked for an attribute, whatever it is.
NAMES = {"read_pickle", "to_pickle", "load_module", "exec_module", "spec_from_file_location", "allow_pickle"}
NAMES |= {"Unpickler", "PickleSerializer", "CPickleSerializer", "CloudPickleSerializer", "unpickle"}
BUILTINS = {"compile", "eval", "exec", "__import__"}
# Spark hands summaries from its own workers to the driver in the way in which it hands over everything.
ALLOWED = {("table/engines/spark_frame.py", "pyspark.serializers.CPickleSerializer")}


class Finder(ast.NodeVisitor):
    """Collects what a program uses of the forbidden, under whatever name it was imported."""

    def __init__(self):
        self.origins = {name: f"builtins.{name}" for name in BUILTINS}
        self.found = set()

    def note(self, origin):
        head, _, rest = origin.partition(".")
        listed = origin in CALLS or head in MODULES or any(part in NAMES for part in origin.split("."))
        if listed or (head in PARTS and rest and rest.split(".")[0] not in PARTS[head]):
            self.found.add(origin)

    def visit_Import(self, node):
        for alias in node.names:
            whole = alias.name if alias.asname else alias.name.split(".")[0]
            self.origins[alias.asname or whole] = whole
            self.note(alias.name)

    def visit_ImportFrom(self, node):
        for alias in node.names:
            self.origins[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            self.note(f"{node.module}.{alias.name}")

    def visit_Assign(self, node):
        self.generic_visit(node)
        for target in node.targets:
            self.remember(target, node.value)

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        self.remember(node.target, node.value)

    def remember(self, target, value):
        """Know a name for what was assigned to it."""
        origin = self.origin_of(value)
        if isinstance(target, ast.Name) and origin:
            self.origins[target.id] = origin

    def origin_of(self, node):
        """Return where an expression comes from as a dotted name; None if it is nothing that was imported."""
        if isinstance(node, ast.Name):
            return self.origins.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.origin_of(node.value)
            return f"{base}.{node.attr}" if base else None
        if isinstance(node, ast.Call):
            return self.origin_of_call(node)
        return None

    def origin_of_call(self, node):
        function, texts = self.origin_of(node.func), [a.value for a in node.args if isinstance(a, ast.Constant)]
        if function in {"importlib.import_module", "builtins.__import__"} and texts and isinstance(texts[0], str):
            return texts[0]
        if isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) > 1 and texts:
            base = self.origin_of(node.args[0])
            return f"{base}.{texts[0]}" if base else str(texts[0])
        return None

    def visit_Call(self, node):
        self.generic_visit(node)
        if origin := self.origin_of_call(node):
            self.note(origin)

    def visit_Name(self, node):
        if origin := self.origin_of(node):
            self.note(origin)

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if origin := self.origin_of(node):
            self.note(origin)
        elif node.attr in NAMES:
            self.found.add(node.attr)

    def visit_keyword(self, node):
        self.generic_visit(node)
        if node.arg in NAMES:
            self.found.add(node.arg)


def forbidden_in(text):
    finder = Finder()
    finder.visit(ast.parse(text))
    return finder.found


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_nothing_runs_code_from_files(path):
    where = path.relative_to(SOURCE).as_posix()
    found = {(where, origin) for origin in forbidden_in(path.read_text())}
    assert found <= ALLOWED | {(at, f"{origin}.{method}") for at, origin in ALLOWED for method in ("dumps", "loads")}


@pytest.mark.parametrize(
    "program",
    [
        "import pickle",
        "import joblib\nx = joblib.load(path)",
        "import joblib as j\nx = j.load(path)",
        "from joblib import load",
        "from joblib import load as parse_json",
        "from joblib.numpy_pickle import load",
        "import importlib\nj = importlib.import_module('joblib')\nx = j.load(path)",
        "import importlib\nx = importlib.import_module('joblib').load(path)",
        "from importlib import import_module as get\nread = get('joblib').load",
        "j = __import__('joblib')",
        "import numpy as np\nx = np.load(path, allow_pickle=True)",
        "import numpy as np\nx = np.load(path)",
        "from numpy import load as read",
        "from numpy.lib.format import read_array",
        "import pandas as pd\nx = pd.read_pickle(path)",
        "import importlib\npandas = importlib.import_module('pandas')\nx = pandas.read_pickle(path)",
        "def f(library, path):\n    return library.read_pickle(path)",
        "import torch\nx = torch.load(path)",
        "import torch as t\nread = t.load\nx = read(path)",
        "import torch\nread = getattr(torch, 'load')",
        "def f(library):\n    return getattr(library, 'read_pickle')",
        "x = eval(text)",
        "exec(text)",
        "import builtins\nbuiltins.eval(text)",
        "run = eval\nrun(text)",
        "import yaml",
        "import dill as json",
        "from pyspark.serializers import CPickleSerializer",
        "import skops.io",
        "import runpy",
        "def f(json):\n    return json.load(file, allow_pickle=True)",
    ],
)
def test_what_is_forbidden_is_found(program):
    assert forbidden_in(program)


@pytest.mark.parametrize(
    "program",
    [
        "import json\nx = json.loads(text)",
        "import re\nx = re.compile('a')",
        "from joblib import effective_n_jobs",
        "import numpy as np\nx = np.frombuffer(content)",
        "x = TableCounts.load(path)",
        "net.eval()",
        "import tomllib\nx = tomllib.loads(text)",
    ],
)
def test_what_is_harmless_is_not(program):
    assert not forbidden_in(program)
