"""ResNet, FT-Transformer and tuned RVFL on the paper's data sets and folds, on a GPU where there is one.

    python benchmarks/networks.py --out networks.jsonl [--only resnet ftt rvfl-tuned] [--minutes 20] [--workers 6]

The folds of a data set are trained side by side. A line is added to the file for each cell, all
cells of a task at once; what is there already is left out, so that a run that was cut short goes on.
The data sets are read from CUTWISE_DATA, by default ../shared/datasets. Without numba, with
PYTHONPATH=src, PyTorch, numpy, scipy, scikit-learn, narwhals and pandas are enough.
"""

from __future__ import annotations

import timing  # noqa: F401

# isort: split
import argparse
import json
import multiprocessing
import os
import time
import warnings
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import torch

from cutwise import FTTransformerClassifier, ResNetClassifier, RVFLClassifier
from cutwise.evaluate import RAW, Cell, Protocol, Result
from cutwise.evaluate.measure import _in_one_line, _log_loss, _split
from cutwise.neural.networks import fit_many
from rvfl_tuning import tune_on

DATA = Path(os.environ.get("CUTWISE_DATA", Path(__file__).parents[2] / "shared" / "datasets"))
PROTOCOL = Protocol()
NETWORKS = {"resnet": ResNetClassifier, "ftt": FTTransformerClassifier}
# RVFL on tables with fewer rows than this is tuned by numpy, even where there is a GPU.
FEW_ROWS = 400


class Dataset(NamedTuple):
    """A table and the class of each row."""

    X: Any
    y: Any


@dataclass(frozen=True)
class Job:
    """A classifier on some folds of a data set, which one process does in one go."""

    dataset: str
    classifier: str
    folds: tuple[int, ...]
    repeat: int = 0

    def cells(self) -> list[Cell]:
        return [Cell(self.dataset, RAW, self.classifier, self.repeat, fold) for fold in self.folds]


def manifest() -> dict:
    return json.loads((DATA / "manifest.json").read_text())["datasets"]


def load(name: str) -> Dataset:
    nominal = manifest()[name]["nominal_columns"]
    texts = dict.fromkeys([*nominal, "class"], str)
    frame = pd.read_csv(DATA / f"{name}.csv", dtype=texts, keep_default_na=False, na_values=[""])
    numeric = frame.columns.difference([*nominal, "class"])
    frame[numeric] = frame[numeric].astype(float)
    return Dataset(frame.drop(columns="class"), frame["class"].to_numpy(dtype=str))


def measured(cell: Cell, split, model, seconds: float) -> Result:
    """Return the result of a fitted classifier."""
    start = time.perf_counter()
    probabilities = model.predict_proba(split.X_test)
    return Result(
        cell,
        n_rows=split.y_test.size,
        n_correct=int((model.classes_[probabilities.argmax(axis=1)] == split.y_test).sum()),
        log_loss=_log_loss(probabilities, model.classes_, split.y_test),
        seconds=round(seconds + time.perf_counter() - start, 4),
    )


def fit_networks(job: Job, splits, seeds, options) -> list:
    settings = {"device": options.device}
    if options.epochs is not None:
        settings["max_epochs"] = options.epochs
    if options.blocks is not None and job.classifier == "ftt":
        settings["n_blocks"] = options.blocks
    model = NETWORKS[job.classifier](**settings)
    return fit_many(model, [(split.X, split.y) for split in splits], seeds)


def fit_rvfl(splits, seeds, options) -> list:
    on_gpu = options.device != "cpu" and torch.cuda.is_available()
    device = "cuda" if on_gpu and splits[0].y.size >= FEW_ROWS else None
    with tune_on(device):
        return [
            RVFLClassifier(tune=True, random_state=seed).fit(s.X, s.y) for s, seed in zip(splits, seeds, strict=True)
        ]


def run_job(job: Job, options) -> list[Result]:
    """Return the results of a job, or none if the time is over."""
    if time.time() > options.deadline:
        return []
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision(options.precision)
    warnings.simplefilter("ignore")
    start = time.perf_counter()
    try:
        splits = [_split(load, PROTOCOL, job.dataset, job.repeat, fold) for fold in job.folds]
        seeds = [PROTOCOL.method_seed(job.repeat, fold) for fold in job.folds]
        if job.classifier in NETWORKS:
            models = fit_networks(job, splits, seeds, options)
        else:
            models = fit_rvfl(splits, seeds, options)
        each = (time.perf_counter() - start) / len(models)
        return [measured(*one, each) for one in zip(job.cells(), splits, models, strict=True)]
    except Exception as error:  # noqa: BLE001 one failing job must not stop the others
        return [Result(cell, error=_in_one_line(error)) for cell in job.cells()]


def read_done(path: Path) -> set[Cell]:
    """Return the cells that the file has figures for; a torn last line has none."""
    done = set()
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            fields = json.loads(line)
        except ValueError:
            continue
        if not fields["error"]:
            done.add(Cell(**fields["cell"]))
    return done


def jobs_to_do(names: list[str], classifiers: list[str], done: set[Cell]) -> list[Job]:
    """Return what is left to do, the longest first."""
    facts = manifest()
    jobs = []
    for name in names:
        for classifier in classifiers:
            left = tuple(f for f in range(PROTOCOL.n_folds) if Cell(name, RAW, classifier, 0, f) not in done)
            if left and classifier in NETWORKS:
                jobs.append(Job(name, classifier, left))
            else:
                jobs += [Job(name, classifier, (fold,)) for fold in left]
    kinds = {"ftt": 3, "resnet": 1}

    def cost(job: Job) -> int:
        size = facts[job.dataset]["n_rows"] * (facts[job.dataset]["n_attributes"] + 10)
        return kinds.get(job.classifier, 2) * size

    return sorted(jobs, key=cost, reverse=True)


def end_line(file) -> None:
    """End a last line that a break has torn."""
    if file.seek(0, os.SEEK_END):
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.write(b"\n")


def write(file, results: list[Result]) -> None:
    """Add the results of a job to the file; they are on the disk when this returns."""
    file.write("".join(json.dumps(asdict(result)) + "\n" for result in results).encode())
    file.flush()
    os.fsync(file.fileno())


def run(jobs: list[Job], options) -> None:
    start = time.perf_counter()
    work = partial(run_job, options=options)
    with options.out.open("a+b") as file, multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        end_line(file)
        for number, results in enumerate(pool.imap_unordered(work, jobs), 1):
            if not results:
                continue
            write(file, results)
            told = results[0].cell
            failed = [result.error for result in results if result.error]
            right = 100 * sum(r.n_correct for r in results) / max(sum(r.n_rows for r in results), 1)
            took = sum(result.seconds for result in results)
            print(
                f"{time.perf_counter() - start:6.0f} s  {number}/{len(jobs)}  {told.dataset}/{told.classifier} "
                f"{len(results)} folds: {right:.2f} %, {took:.1f} s {failed[:1] or ''}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="a line is added to this file for each cell")
    parser.add_argument("--only", nargs="+", default=["resnet", "ftt"], choices=["resnet", "ftt", "rvfl-tuned"])
    parser.add_argument("--datasets", nargs="+", help="these data sets only")
    parser.add_argument("--minutes", type=float, default=1e6, help="start no further data set after that time")
    parser.add_argument("--workers", type=int, default=1, help="processes side by side")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--precision", default="highest", choices=["highest", "high"], help='"high" allows TF32')
    parser.add_argument("--epochs", type=int, help="the most epochs, instead of the default")
    parser.add_argument("--blocks", type=int, help="blocks of FT-Transformer, instead of the default")
    options = parser.parse_args()
    if not (DATA / "manifest.json").exists():
        parser.exit(2, f"The data sets are not at {DATA}. Set CUTWISE_DATA to their folder.\n")
    options.deadline = time.time() + 60 * options.minutes
    jobs = jobs_to_do(options.datasets or sorted(manifest()), options.only, read_done(options.out))
    print(f"{len(jobs)} jobs to do", flush=True)
    run(jobs, options)


if __name__ == "__main__":
    main()
