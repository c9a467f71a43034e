"""Files of every format as this version writes them, for tests/golden: `python tools/golden.py`.

A version adds its folder once. The files of a released version are never written again: later
versions must read them. As long as CHANGELOG.md calls the version "not released", `--again` makes
its folder anew.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import hashlib
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa

import cutwise
from cutwise import (
    AdditiveClassifier,
    AIWNBClassifier,
    AODEClassifier,
    C45Classifier,
    Chi2Discretizer,
    CutwiseClassifier,
    DiscretizedClassifier,
    EMDDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    FixedCutsDiscretizer,
    FixedFrequencyDiscretizer,
    MDLPDiscretizer,
    MRmDDiscretizer,
    MRmDRNBClassifier,
    NaiveBayesClassifier,
    PKIDDiscretizer,
    PreconditionedLogisticClassifier,
    RVFLClassifier,
    ScorecardClassifier,
    count_table,
    registry,
)
from cutwise.paper.evaluate import CellResult, Journal, ResultCell

if TYPE_CHECKING:
    from collections.abc import Collection

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "golden"
SUMS = "SHA256SUMS"
N_ROWS = 48
SEARCH = {"population": 10, "max_evaluations": 300, "random_state": 0}
NUMBERS = ["length", "width"]
RESULTS = [
    CellResult(
        ResultCell("iris", "mrmd", "rnb", 0, 0), n_rows=15, n_correct=14, log_loss=0.1 + 0.2, n_cuts=7, seconds=1 / 3
    ),
    CellResult(ResultCell("iris", "mdlp", "nb", 0, 1), error="it broke", seconds=5e-324),
    CellResult(
        ResultCell("wine", "mrmd", "rnb", 2, 9), n_rows=18, n_correct=17.5, log_loss=2.0**-60, n_cuts=0, seconds=1e300
    ),
]


def unnamed(groups: Collection[str], named: dict[str, Any]) -> dict[str, Any]:
    """Return the estimators of the command line that are not among the named ones, as they are."""
    known = {type(estimator).__name__ for estimator in named.values()}
    return {
        alias: registry.load(entry)() for alias, entry in registry.aliases(groups).items() if entry.name not in known
    }


DISCRETIZERS: dict[str, Any] = {
    "mrmd": MRmDDiscretizer(),
    "mrmd-exact": MRmDDiscretizer(search="exact", place="readable"),
    "mrmd-parts": MRmDDiscretizer(validation="crossfit", random_state=0),
    "mrmd-confirmed": MRmDDiscretizer(confirm=0.1),
    "mrmd-groups": MRmDDiscretizer(nominal="group", max_bins=2, confirm=1.0),
    "mrmd-limits": MRmDDiscretizer(
        monotonic={"length": "auto", "width": "peak"}, max_bins={"length": 3}, min_events=2, event="long"
    ),
    "mrmd-special": MRmDDiscretizer(special_values={"length": [0.5]}, missing="bin", max_bins=3),
    "chi2": Chi2Discretizer(0.1),
    "emd": EMDDiscretizer(**SEARCH),
    "width": EqualWidthDiscretizer(4),
    "frequency": EqualFrequencyDiscretizer(3),
    "fixed-frequency": FixedFrequencyDiscretizer(9),
    "fixed-cuts": FixedCutsDiscretizer({"length": [0.25, 1.0], "width": [-0.0]}),
}
# The others are stored as they are, under their names on the command line.
DISCRETIZERS |= unnamed(registry.DISCRETIZERS, DISCRETIZERS)
OF_CODES: dict[str, Any] = {
    "naive": NaiveBayesClassifier(),
    "logistic": PreconditionedLogisticClassifier(),
    "aode": AODEClassifier(),
    "aode-rows": AODEClassifier(max_memory=0),
    "aiwnb": AIWNBClassifier(),
    "aiwnb-lazy": AIWNBClassifier("lazy"),
}
OF_CODES |= unnamed(["codes"], OF_CODES)
OF_TABLES: dict[str, Any] = {
    "rvfl": RVFLClassifier(n_hidden=4, n_layers=2, random_state=0),
    "mrmd-rnb": MRmDRNBClassifier(missing="bin", special_values={"length": [0.5]}),
    "additive": AdditiveClassifier(bins=6, pairs=[("length", "width")], special_values={"length": [0.5]}),
    "cutwise": CutwiseClassifier(),
    "scorecard": ScorecardClassifier(EqualFrequencyDiscretizer(3, special_values={"length": [0.5]}), event="long"),
    "scorecard-shapes": ScorecardClassifier(EqualFrequencyDiscretizer(3), event="long", model="additive", min_iv=0.0),
    "mdlp-naive": DiscretizedClassifier(MDLPDiscretizer(), NaiveBayesClassifier()),
    "pkid-aode": DiscretizedClassifier(PKIDDiscretizer(), AODEClassifier()),
    "mdlp-c45": DiscretizedClassifier(MDLPDiscretizer(), C45Classifier(nominal="all")),
}
OF_TABLES |= unnamed(["tables"], OF_TABLES)


def make_rows() -> dict[str, list[Any]]:
    """Return a table of columns with numbers, extreme ones among them, texts, booleans and gaps."""
    random = np.random.default_rng(20)
    length, width = random.normal(size=(2, N_ROWS)).round(2)
    length[:6] = [5e-324, -0.0, 1.7976931348623157e308, -1.7e308, 0.5, 0.5]
    width[6:8] = [0.1 + 0.2, 0.3]
    kind = np.select([length + 0.4 * random.normal(size=N_ROWS) > 0.6, width > 0.2], ["long", "wide"], "plain")
    colours = random.choice(["red", "grün", "", 'a,"b"'], size=N_ROWS).tolist()
    gaps = random.random((3, N_ROWS)) < 0.1
    return {
        "length": [None if gap else value for gap, value in zip(gaps[0], length.tolist(), strict=True)],
        "width": [None if gap else value for gap, value in zip(gaps[1], width.tolist(), strict=True)],
        "colour": [None if gap else value for gap, value in zip(gaps[2], colours, strict=True)],
        "open": (random.random(N_ROWS) < 0.5).tolist(),
        "kind": kind.tolist(),
    }


def frame_of(rows: dict[str, list[Any]]) -> pd.DataFrame:
    """Return the columns without the class as a data frame."""
    columns = {name: values for name, values in rows.items() if name != "kind"}
    numbers = {name: np.array([np.nan if v is None else v for v in columns[name]]) for name in NUMBERS}
    return pd.DataFrame({**columns, **numbers}).astype({"colour": object})


def codes_of(rows: dict[str, list[Any]]) -> np.ndarray[Any, Any]:
    """Return codes made of the table without a discretizer, some of them missing."""
    frame = frame_of(rows)
    signs = np.where(frame[NUMBERS].isna(), -1, (frame[NUMBERS] > 0.0) + (frame[NUMBERS] > 1.0))
    return np.column_stack([signs, frame["open"]]).astype(np.int64)


def write_schemes(rows: dict[str, list[Any]], folder: Path) -> dict[str, Any]:
    """Write the scheme of every discretizer; return the codes that each gives."""
    frame, kind = frame_of(rows), np.array(rows["kind"])
    schemes, expected = {}, {}
    for name, discretizer in DISCRETIZERS.items():
        schemes[name] = discretizer.fit(frame, kind).scheme_
    weights = np.linspace(0.5, 2.0, N_ROWS)
    schemes["weighted"] = MRmDDiscretizer().fit(frame, kind, sample_weight=weights).scheme_
    schemes["by-hand"] = schemes["mrmd"].with_cuts("length", [0.1 + 0.2, 1e300])
    for name, scheme in schemes.items():
        write(folder / f"{name}.json", scheme.to_json().encode())
        expected[name] = cutwise.FixedSchemeDiscretizer(scheme).transform(frame).tolist()
    return expected


def write_models(rows: dict[str, list[Any]], folder: Path) -> dict[str, Any]:
    """Write every classifier; return the classes and probabilities that each predicts."""
    frame, codes, kind = frame_of(rows), codes_of(rows), np.array(rows["kind"])
    expected = {}
    for models, table in ((OF_CODES, codes), (OF_TABLES, frame)):
        for name, model in models.items():
            # A scorecard has two classes.
            model.fit(table, np.where(kind == "long", "long", "other") if hasattr(model, "pdo") else kind)
            write(folder / f"{name}.json", model.to_json().encode())
            probabilities = [[float(f"{p:.13g}") for p in row] for row in model.predict_proba(table).tolist()]
            expected[name] = {
                "of": "codes" if table is codes else "table",
                "classes": model.predict(table).tolist(),
                "probabilities": probabilities,
            }
    return expected


def write_counts(rows: dict[str, list[Any]], folder: Path) -> dict[str, Any]:
    """Write counts by value and by category, with and without parts, and by the cells of a grid."""
    frame = frame_of(rows)
    columns = {name: pa.array(rows[name]) for name in frame.columns}
    table = pa.table({**columns, "kind": rows["kind"], "part": np.arange(N_ROWS) % 3})
    names = list(frame.columns)
    counts = {
        "exact": count_table(table, "kind", columns=names),
        "parts": count_table(table, "kind", columns=names, parts="part"),
        "grid": count_table(table, "kind", columns=NUMBERS, max_values=8, max_cells=8),
    }
    for name, one in counts.items():
        folder.mkdir(parents=True, exist_ok=True)
        one.save(folder / f"{name}.counts")
    return {name: [cuts.tolist() for cuts in MDLPDiscretizer().fit_counts(one).cuts_] for name, one in counts.items()}


def write_checkpoint(rows: dict[str, list[Any]], folder: Path) -> list[list[float]]:
    """Write the checkpoint of a search that was broken off; return the cuts of the whole search."""
    folder.mkdir(parents=True, exist_ok=True)
    X, y, path = frame_of(rows)[NUMBERS], np.array(rows["kind"]), folder / "search.json"
    seconds = 0.0
    while not path.exists():  # the first generation may be broken off, which leaves nothing to go on from
        EMDDiscretizer(**SEARCH, checkpoint=path, max_seconds=seconds).fit(X, y)
        seconds += 0.001
    return [cuts.tolist() for cuts in EMDDiscretizer(**SEARCH).fit(X, y).cuts_]


def write_journals(folder: Path) -> None:
    """Write a journal, plain and compressed."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = folder / "run.journal"
    with Journal(plain, {"n_folds": 10, "seed": 7}) as journal:
        for result in RESULTS:
            journal.append(result)
    for rest in folder.glob("*.lock"):
        rest.unlink()
    write(folder / "packed.journal.gz", gzip.compress(plain.read_bytes(), mtime=0))


def write(path: Path, content: bytes) -> None:
    """Write a file, and its folder if there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def make(folder: Path) -> None:
    """Write all files of this version."""
    rows = make_rows()
    expected = {
        "schemes": write_schemes(rows, folder / "schemes"),
        "models": write_models(rows, folder / "models"),
        "counts": write_counts(rows, folder / "counts"),
        "checkpoint": write_checkpoint(rows, folder / "checkpoints"),
        "journal": [dataclasses.astuple(result) for result in sorted(RESULTS, key=lambda result: result.cell)],
    }
    write_journals(folder / "journals")
    write(folder / "rows.json", json.dumps(rows, ensure_ascii=True).encode() + b"\n")
    write(folder / "expected.json", json.dumps(expected).encode() + b"\n")
    write(folder / SUMS, sums_of(folder).encode())


def sums_of(folder: Path) -> str:
    """Return the SHA-256 of every file of a folder, one line each, as sha256sum writes them."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    lines = [f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(folder).as_posix()}\n" for p in paths]
    return "".join(lines)


def folder_name(version: str) -> str:
    """Return the folder of a version: patch releases write the formats of their minor version."""
    return "v" + ".".join(version.split(".")[:2])


def is_released(version: str, changelog: str) -> bool:
    """Return whether the changelog says that a version is out."""
    heading = re.search(rf"^## {re.escape(version)}\b.*$", changelog, re.MULTILINE)
    return heading is None or "not released" not in heading.group()


def add(root: Path, version: str, changelog: str, *, again: bool) -> Path:
    """Add the folder of a version; refuse to touch one that is there, unless it may be made again."""
    folder = root / folder_name(version)
    if folder.exists():
        if not again or is_released(version, changelog):
            message = f"{folder} is there already, and files of a version are never edited."
            raise FileExistsError(message)
        shutil.rmtree(folder)
    with tempfile.TemporaryDirectory() as draft:
        make(Path(draft) / "files")
        shutil.copytree(Path(draft) / "files", folder)
    return folder


def main() -> int:
    """Add the folder of this version."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="make the folder of a version anew that is not released")
    try:
        folder = add(FOLDER, cutwise.__version__, (ROOT / "CHANGELOG.md").read_text(), again=parser.parse_args().again)
    except FileExistsError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(list(folder.rglob('*')))} files in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
