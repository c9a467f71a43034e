"""How well a score ranks and foresees events on rows whose classes are known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import betaincinv, ndtri

from cutwise.table.frames import choose_library, make_frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROC_COLUMNS = ("score", "rows", "events", "share_of_events", "share_of_others", "share_of_rows", "rate", "lift")
BAND_COLUMNS = ("low", "high", "rows", "events", "expected_rate", "rate", "rate_low", "rate_high", "inside")


@dataclass(frozen=True)
class Interval:
    """A figure and the interval that covers the true one with the level of confidence.

    Parameters
    ----------
    value, low, high : float
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f})"


@dataclass(frozen=True, eq=False)
class Performance:
    """How a score ranks rows, and how its probabilities fit them.

    Parameters
    ----------
    n_rows, n_events : float
        Their weights.
    level : float
        The confidence of the intervals.
    auc, gini, ks : Interval
        The area under the ROC curve, 2 AUC - 1, and the largest difference of the shares of events and of other rows
        up to a score. AUC and Gini have DeLong's interval; that of KS takes the two shares at its score as binomial.
    ks_score : float
        The score of KS: up to it, inclusive, the difference of the shares is largest.
    log_loss, brier : float
        The mean losses of the probabilities.
    expected_rate : float
        The mean probability of the event.
    roc, bands : dict of lists
        See `roc_table` and `calibration_table`.
    """

    n_rows: float
    n_events: float
    level: float
    auc: Interval
    gini: Interval
    ks: Interval
    ks_score: float
    log_loss: float
    brier: float
    expected_rate: float
    roc: dict[str, list[float]]
    bands: dict[str, list[Any]]

    def roc_table(self, library: str | None = None) -> Any:
        """Return a row for each score from the lowest on: what would be held back by refusing rows up to it.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            The table library; by default the first of these that is installed.

        Returns
        -------
        table
            The score; rows and events up to it, inclusive; their shares of all events, of all other rows and of all
            rows; the rate of events among them, and its ratio to that of all rows.
        """
        return make_frame(self.roc, (), choose_library(library))

    def calibration_table(self, library: str | None = None) -> Any:
        """Return a row for each band of scores: whether as many events came as were expected.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            The table library; by default the first of these that is installed.

        Returns
        -------
        table
            The lowest and the highest score of the band, its rows and events, the mean probability of the event, the
            rate of events with its interval (Clopper and Pearson's), and whether the expected rate is in it.
        """
        return make_frame(self.bands, ("inside",), choose_library(library))

    def __str__(self) -> str:
        percent = f"{self.level:.0%}"
        lines = [
            f"{self.n_rows:,.0f} rows, {self.n_events:,.0f} events; intervals of {percent}",
            f"  AUC   {self.auc}",
            f"  Gini  {self.gini}",
            f"  KS    {self.ks}, at score {self.ks_score:g}",
            f"  rate of events {self.n_events / self.n_rows:.4f}, expected {self.expected_rate:.4f}",
            f"  log loss {self.log_loss:.4f}, Brier score {self.brier:.4f}",
            "",
            f"  {'score':>16}  {'rows':>8}  {'events':>8}  {'expected':>8}  {'rate':>8}  interval",
        ]
        for low, high, rows, events, expected, rate, least, most, inside in zip(*self.bands.values(), strict=True):
            span = f"{low:g} to {high:g}"
            mark = "" if inside == "yes" else "  *"
            lines.append(
                f"  {span:>16}  {rows:>8,.0f}  {events:>8,.0f}  {expected:>8.4f}  {rate:>8.4f}  "
                f"{least:.4f} to {most:.4f}{mark}"
            )
        if "no" in self.bands["inside"]:
            lines.append("  * the expected rate is outside the interval")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Rows with scores, probabilities of the event and what came.

    Parameters
    ----------
    scores, probabilities, weights : ndarray of shape (n_rows,)
    is_event : ndarray of bool, of shape (n_rows,)
    """

    scores: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    is_event: NDArray[np.bool_]
    weights: NDArray[np.float64]


def measure(rows: ScoredRows, n_bands: int, level: float) -> Performance:
    """Return all figures of rows; there must be events and others."""
    scores, places = np.unique(rows.scores, return_inverse=True)
    own = rows.weights
    events, others = (
        np.bincount(places, np.where(is_own, own, 0.0), minlength=scores.size).astype(np.float64)
        for is_own in (rows.is_event, ~rows.is_event)
    )
    auc = _area(events, others, rows, places, level)
    ks, at = _largest_gap(events, others, rows, level)
    p = np.clip(rows.probabilities, 1e-300, 1.0)
    q = np.clip(1.0 - rows.probabilities, 1e-300, 1.0)
    total = float(own.sum())
    return Performance(
        n_rows=total,
        n_events=float(events.sum()),
        level=level,
        auc=auc,
        gini=Interval(2.0 * auc.value - 1.0, 2.0 * auc.low - 1.0, 2.0 * auc.high - 1.0),
        ks=ks,
        ks_score=float(scores[at]),
        log_loss=float(-(own * np.log(np.where(rows.is_event, p, q))).sum() / total),
        brier=float((own * (rows.probabilities - rows.is_event) ** 2).sum() / total),
        expected_rate=float((own * rows.probabilities).sum() / total),
        roc=_roc(scores, events, others),
        bands=_bands(rows, n_bands, level),
    )


def _area(
    events: NDArray[np.float64],
    others: NDArray[np.float64],
    rows: ScoredRows,
    places: NDArray[np.int64],
    level: float,
) -> Interval:
    """Return AUC with DeLong's interval on the logit scale; a low score speaks for the event."""
    n_events, n_others = float(events.sum()), float(others.sum())
    # For each score: the share of other rows above it, and of events below it, ties by half.
    above = (n_others - np.cumsum(others) + 0.5 * others) / n_others
    below = (np.cumsum(events) - 0.5 * events) / n_events
    area = float((events * above).sum() / n_events)
    spread = 0.0
    for of_score, is_own, total in ((above, rows.is_event, n_events), (below, ~rows.is_event, n_others)):
        weights = rows.weights[is_own]
        size = total**2 / float((weights**2).sum())
        apart = of_score[places[is_own]] - area
        variance = float((weights * apart**2).sum()) / total
        spread += variance / max(size - 1.0, 1.0)
    return _logit_interval(area, math.sqrt(spread), level)


def _logit_interval(value: float, error: float, level: float) -> Interval:
    """Return an interval that is symmetric on the scale of log-odds, so that it stays between 0 and 1."""
    if not 0.0 < value < 1.0 or error == 0.0:
        return Interval(value, value, value)
    middle = math.log(value / (1.0 - value))
    width = float(ndtri(0.5 + 0.5 * level)) * error / (value * (1.0 - value))
    low, high = (1.0 / (1.0 + math.exp(-min(max(end, -700.0), 700.0))) for end in (middle - width, middle + width))
    return Interval(value, low, high)


def _largest_gap(
    events: NDArray[np.float64], others: NDArray[np.float64], rows: ScoredRows, level: float
) -> tuple[Interval, int]:
    """Return KS with its interval, and the place of its score.

    At a given score the two shares are independent and binomial; the interval is that of their difference there.
    """
    shares = [np.cumsum(each) / each.sum() for each in (events, others)]
    gaps = shares[0] - shares[1]
    at = int(gaps.argmax())
    sizes = []
    for is_own in (rows.is_event, ~rows.is_event):
        weights = rows.weights[is_own]
        sizes.append(float(weights.sum()) ** 2 / float((weights**2).sum()))
    spread = sum(float(share[at] * (1.0 - share[at])) / size for share, size in zip(shares, sizes, strict=True))
    width = float(ndtri(0.5 + 0.5 * level)) * math.sqrt(spread)
    value = float(gaps[at])
    return Interval(value, max(value - width, 0.0), min(value + width, 1.0)), at


def _roc(
    scores: NDArray[np.float64], events: NDArray[np.float64], others: NDArray[np.float64]
) -> dict[str, list[float]]:
    bad, good = np.cumsum(events), np.cumsum(others)
    rows = bad + good
    rate = bad / rows
    columns = (scores, rows, bad, bad / bad[-1], good / good[-1], rows / rows[-1], rate, rate / rate[-1])
    return {name: column.tolist() for name, column in zip(ROC_COLUMNS, columns, strict=True)}


def _bands(rows: ScoredRows, n_bands: int, level: float) -> dict[str, list[Any]]:
    """Return bands of about equally many rows, a score never in two of them."""
    order = np.argsort(rows.scores, kind="stable")
    scores, weights = rows.scores[order], rows.weights[order]
    running = np.cumsum(weights)
    wanted = running[-1] * np.arange(1, n_bands) / n_bands
    ends = np.searchsorted(scores, scores[np.searchsorted(running, wanted)], side="right")
    starts = np.unique(np.concatenate([[0], ends]))
    starts = starts[starts < scores.size]
    columns: list[list[Any]] = [[] for _ in BAND_COLUMNS]
    for first, last in zip(starts, [*starts[1:], scores.size], strict=True):
        own = order[first:last]
        part = rows.weights[own]
        total, came = float(part.sum()), float(part[rows.is_event[own]].sum())
        expected = float((part * rows.probabilities[own]).sum()) / total
        size = total**2 / float((part**2).sum())
        low, high = _binomial_interval(came / total * size, size, level)
        inside = "yes" if low <= expected <= high else "no"
        line = [scores[first], scores[last - 1], total, came, expected, came / total, low, high, inside]
        for column, cell in zip(columns, line, strict=True):
            column.append(cell if isinstance(cell, str) else float(cell))
    return dict(zip(BAND_COLUMNS, columns, strict=True))


def _binomial_interval(successes: float, trials: float, level: float) -> tuple[float, float]:
    """Return Clopper and Pearson's interval of a share."""
    tail = 0.5 - 0.5 * level
    low = float(betaincinv(successes, trials - successes + 1.0, tail)) if successes > 0.0 else 0.0
    high = float(betaincinv(successes + 1.0, trials - successes, 1.0 - tail)) if successes < trials else 1.0
    return low, high
