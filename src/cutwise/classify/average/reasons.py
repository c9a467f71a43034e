"""What columns, and members without a sum over columns, add to the log-odds of an average.

The average of members' probabilities has no score that is a sum. But let the scores of all classes, in all members,
grow together from 0, where every class is as probable as another, to what they are. The log-odds of the average
grow with them, and at each point of the way they grow by a sum of each score's growth times a slope. So the log-odds
are the sum of all scores, each times the mean of its slope along the way (the integrated gradients of Sundararajan,
Taly and Yan 2017), and where a score is a sum over columns, so are they.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cutwise.classify.explain import Contribution, Explanation, compared, pair_contributions, plain_value, read_row
from cutwise.scheme import encode_columns, labels_of_codes
from cutwise.scheme.codes import UNSEEN_LABEL
from cutwise.table.columns import is_no_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cutwise.classify.average.members import Member

# Points of the Gauss-Legendre rule on the way; what it misses is told as part of the prior.
N_POINTS = 64
# The score of a class without any probability.
LOWEST = -700.0


class MemberScores(NamedTuple):
    """The scores of one row in one member: those of all attributes and the start add up to them."""

    start: NDArray[np.float64]
    terms: NDArray[np.float64]

    @property
    def total(self) -> NDArray[np.float64]:
        """The score of each class."""
        return np.asarray(self.start + self.terms.sum(axis=0))


def explain_average(model: Any, row: Any, target: Any, against: Any) -> Explanation:
    """Return what each attribute and each member without a sum adds to the log-odds of a class."""
    members: tuple[Member, ...] = model.members_
    names = members[0].scheme.names
    values = read_row(row, names, named=hasattr(model, "feature_names_in_"))
    codes = [encode_columns(member.scheme, values) for member in members]
    scores = [_scores(member, one) for member, one in zip(members, codes, strict=True)]
    shares = np.array([member.share for member in members])
    totals = np.array([score.total for score in scores])
    logs = model.sharpness_ * np.log(np.maximum(shares @ _softmax(totals), np.finfo(float).tiny))
    log_proba = logs - np.log(np.exp(logs - logs.max()).sum()) - logs.max()
    first, others = compared(model.classes_, log_proba, target, against)
    slopes = model.sharpness_ * np.mean([mean_slopes(totals, shares, first, other) for other in others], axis=0)
    score = float(log_proba[first] - np.mean(log_proba[others]))
    terms = np.zeros(len(names))
    paired: dict[tuple[str, str], float] = {}
    for member, one, slope in zip(members, scores, slopes, strict=True):
        if member.is_sum:
            added = one.terms @ slope
            terms += added[: len(names)]
            paired |= dict(zip(_pairs_of(member), added[len(names) :].tolist(), strict=True))
    unsplit: dict[str, float] = {}
    for member, total, slope in zip(members, totals, slopes, strict=True):
        if not member.is_sum:
            unsplit[member.group] = unsplit.get(member.group, 0.0) + float(total @ slope)
    attributes = _contributions(members[0], codes[0], values, terms)
    classes = model.classes_.tolist()
    return Explanation(
        target=classes[first],
        against=tuple(classes[other] for other in others),
        probability=float(np.exp(log_proba[first])),
        score=score,
        prior=score - float(terms.sum()) - sum(paired.values()) - sum(unsplit.values()),
        attributes=attributes + pair_contributions(attributes, [*paired], np.array([*paired.values()])),
        members=unsplit,
    )


def _scores(member: Member, codes: NDArray[np.int32]) -> MemberScores:
    """Return the scores of a row; those of a member without a sum are all start."""
    classifier = member.classifier
    if not member.is_sum:
        logs = np.log(np.maximum(classifier.predict_proba(codes)[0], np.exp(LOWEST)))
        return MemberScores(logs - logs.mean(), np.zeros((codes.shape[1], logs.size)))
    (part,) = classifier._parts()  # noqa: SLF001
    terms = classifier.contributions(codes)[0].T
    start = np.maximum(part.prior, LOWEST)
    return MemberScores(start - start.mean(), terms - terms.mean(axis=1, keepdims=True))


def _pairs_of(member: Member) -> list[tuple[str, str]]:
    """Return the names of the pairs of columns that a member has scores for."""
    pairs = member.classifier._pairs() if hasattr(member.classifier, "_pairs") else ()  # noqa: SLF001
    names = member.scheme.names
    return [(names[pair.attributes[0]], names[pair.attributes[1]]) for pair in pairs]


def mean_slopes(
    totals: NDArray[np.float64], shares: NDArray[np.float64], first: int, second: int
) -> NDArray[np.float64]:
    """Return the mean slope of the log-odds by each score [member, class] on the way of all scores from 0."""
    points, weights = np.polynomial.legendre.leggauss(N_POINTS)
    slopes = np.zeros(totals.shape)
    for point, weight in zip((points + 1.0) / 2.0, weights / 2.0, strict=True):
        proba = _softmax(point * totals)
        mean = shares @ proba
        for place, sign in ((first, 1.0), (second, -1.0)):
            pull = sign * weight * shares * proba[:, place] / mean[place]
            slopes -= pull[:, None] * proba
            slopes[:, place] += pull
    return slopes


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _contributions(
    member: Member, codes: NDArray[np.int32], values: NDArray[np.object_], terms: NDArray[np.float64]
) -> tuple[Contribution, ...]:
    labels: Sequence[Any] = labels_of_codes(codes, member.scheme)[0]
    return tuple(
        Contribution(
            name=name,
            value=plain_value(values[0, j]),
            code=int(codes[0, j]),
            bin=labels[j] if labels[j] is not None or is_no_value(values[0, j]) else UNSEEN_LABEL,
            weights={},
            log_odds=float(terms[j]),
        )
        for j, name in enumerate(member.scheme.names)
    )
