"""Reading stored files imports nothing and runs no code, whatever the files say (promise 17)."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.golden.stored import files

# Modules of Python that nothing here needs.
STRANGERS = ["antigravity", "this", "turtle", "idlelib", "lib2to3", "imaplib", "nntplib"]
NAMES = ["os.system", "builtins.eval", "subprocess.Popen", "joblib.load", "numpy.load", "cutwise.cli.app.main"]
NAMES += ["__import__", "eval", "cutwise.paper.registry.SeveralRuns", "sklearn.svm.SVC", *STRANGERS]

PROGRAM = """
import builtins, json, sys
from pathlib import Path  # noqa: TC003  # typer reads the annotations
from cutwise import Scheme, TableCounts
from cutwise.errors import CutwiseError
from cutwise.paper.evaluate import Journal
from cutwise.persist import model_from_json
from cutwise.search.chc import Checkpoint

def read(path, content):
    kind = Path(path).parent.name
    if kind == "schemes":
        return Scheme.from_json(content)
    if kind == "models":
        return model_from_json(content)
    if kind == "counts":
        return TableCounts.load(path)
    if kind == "journals":
        return Journal.read(path)
    tree = json.loads(content)
    return Checkpoint(path, tree["search"], len(tree["state"]["usage"]), len(tree["state"]["costs"])).load()

paths, hostile, strangers = json.load(sys.stdin)
stored = [(path, Path(path).read_bytes()) for path in paths]
for path, content in stored:
    read(path, content)

FORBIDDEN = {"import", "exec", "compile", "pickle.find_class", "subprocess.Popen", "os.system", "socket.connect"}
armed = False
def watch(event, arguments):
    if armed and event in FORBIDDEN:
        raise SystemExit(f"{event}: {arguments!r}"[:300])
sys.addaudithook(watch)

class NoImports:
    def find_spec(self, name, path=None, target=None):
        if armed:
            raise SystemExit(f"import of {name}")

sys.meta_path.insert(0, NoImports())
n_refused = 0
armed = True
for path, content in stored:
    read(path, content)
for path, text in hostile:
    try:
        read(path, text)
    except CutwiseError:
        n_refused += 1
armed = False
assert not set(strangers) & set(sys.modules)
print(len(stored), n_refused)
"""


def places_of_texts(tree, way=()):
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        if isinstance(value, str):
            yield (*way, key)
        yield from places_of_texts(value, (*way, key))


def with_class_names(path):
    """Yield the text of a file with the name of something to run in each place of a text."""
    whole = path.read_text()
    for number, (*way, key) in enumerate(places_of_texts(json.loads(whole))):
        tree = json.loads(whole)
        node = tree
        for step in way:
            node = node[step]
        node[key] = NAMES[number % len(NAMES)]
        yield json.dumps(tree)


def test_reading_imports_nothing_and_runs_nothing():
    paths = [path for kind in ("schemes", "models", "counts", "journals", "checkpoints") for path in files(kind)]
    paths = [path for path in paths if path.suffix != ".gz"]
    of_text = [path for path in paths if path.parent.name in {"schemes", "models"}]
    hostile = [(str(path), text) for path in of_text for text in with_class_names(path)]
    hostile += [
        (str(of_text[-1]), json.dumps({"format": "cutwise model", "version": 1, "model": name})) for name in NAMES
    ]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([list(map(str, paths)), hostile, STRANGERS]),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    n_read, n_refused = map(int, done.stdout.split())
    assert n_read == len(paths)
    assert n_refused > len(hostile) // 2
