"""ResNet, FT-Transformer and tuned RVFL on the paper's data sets and folds, on a GPU where there is one.

    python benchmarks/networks.py --journal networks.journal [--only resnet ftt rvfl-tuned] [--minutes 20] [--workers 6]

The folds of a data set are trained side by side. The journal is that of `cutwise paper run`: what it
holds already is left out, so that a run that was cut short goes on.
The data sets are read from CUTWISE_DATA. Without numba, with
PYTHONPATH=src, PyTorch, numpy, scipy, scikit-learn, narwhals and pandas are enough.
"""

from __future__ import annotations

import timing  # noqa: F401

# isort: split
import argparse
import multiprocessing
import time
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch

from cutwise import FTTransformerClassifier, ResNetClassifier, RVFLClassifier
from cutwise.classify.networks.deep import fit_many
from cutwise.paper import datasets
from cutwise.paper.evaluate import RAW, CellResult, FoldProtocol, Journal, ResultCell
from cutwise.paper.evaluate.measure import _in_one_line, _log_loss, _split
from rvfl_tuning import tune_on

PROTOCOL = FoldProtocol()
NETWORKS = {"resnet": ResNetClassifier, "ftt": FTTransformerClassifier}
# RVFL on tables with fewer rows than this is tuned by numpy, even where there is a GPU.
FEW_ROWS = 400


@dataclass(frozen=True)
class Job:
    """A classifier on some folds of a data set, which one process does in one go."""

    dataset: str
    classifier: str
    folds: tuple[int, ...]
    repeat: int = 0

    def cells(self) -> list[ResultCell]:
        return [ResultCell(self.dataset, RAW, self.classifier, self.repeat, fold) for fold in self.folds]


load = partial(datasets.load, frame="pandas")


def measured(cell: ResultCell, split, model, seconds: float) -> CellResult:
    """Return the result of a fitted classifier."""
    start = time.perf_counter()
    probabilities = model.predict_proba(split.X_test)
    return CellResult(
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


def run_job(job: Job, options) -> list[CellResult]:
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
        return [CellResult(cell, error=_in_one_line(error)) for cell in job.cells()]


def jobs_to_do(names: list[str], classifiers: list[str], journal: Journal) -> list[Job]:
    """Return what is left to do, the longest first."""
    done = {cell for cell, result in journal.results.items() if not result.error}
    jobs = []
    for name in names:
        for classifier in classifiers:
            left = tuple(f for f in range(PROTOCOL.n_folds) if ResultCell(name, RAW, classifier, 0, f) not in done)
            if left and classifier in NETWORKS:
                jobs.append(Job(name, classifier, left))
            else:
                jobs += [Job(name, classifier, (fold,)) for fold in left]
    kinds = {"ftt": 3, "resnet": 1}

    def cost(job: Job) -> int:
        about = datasets.describe(job.dataset)
        size = about.n_rows * (len(about.columns) + 10)
        return kinds.get(job.classifier, 2) * size

    return sorted(jobs, key=cost, reverse=True)


def run(jobs: list[Job], journal: Journal, options) -> None:
    start = time.perf_counter()
    work = partial(run_job, options=options)
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        for number, results in enumerate(pool.imap_unordered(work, jobs), 1):
            if not results:
                continue
            for result in results:
                journal.append(result)
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
    parser.add_argument("--journal", type=Path, required=True, help="the file that keeps the results")
    parser.add_argument("--only", nargs="+", default=["resnet", "ftt"], choices=["resnet", "ftt", "rvfl-tuned"])
    parser.add_argument("--datasets", nargs="+", help="these data sets only")
    parser.add_argument("--minutes", type=float, default=1e6, help="start no further data set after that time")
    parser.add_argument("--workers", type=int, default=1, help="processes side by side")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--precision", default="highest", choices=["highest", "high"], help='"high" allows TF32')
    parser.add_argument("--epochs", type=int, help="the most epochs, instead of the default")
    parser.add_argument("--blocks", type=int, help="blocks of FT-Transformer, instead of the default")
    options = parser.parse_args()
    options.deadline = time.time() + 60 * options.minutes
    with Journal(options.journal, {"n_folds": PROTOCOL.n_folds, "seed": PROTOCOL.seed}) as journal:
        jobs = jobs_to_do(options.datasets or datasets.names(), options.only, journal)
        print(f"{len(jobs)} jobs to do", flush=True)
        run(jobs, journal, options)


if __name__ == "__main__":
    main()
