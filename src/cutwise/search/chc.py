"""CHC, a genetic algorithm that keeps the best of parents and children and starts anew when they agree.

It knows nothing of cuts: it looks for the row of bits with the smallest cost. Of equal costs
the one with more bits set is better, then the older one. All chance comes from one generator
of random numbers, in one thread; a state holds all that the rest of the run depends on.

A checkpoint is a JSON file from which a later run goes on. A new one is written beside it and then
takes its place, so that there is always a whole one. It holds a checksum, and a fingerprint of the data
and the parameters. The state of each generation is kept, but the disk is asked no more than twice in a
second; what is kept is written when the search ends or is broken off.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cutwise.errors import CheckpointError, FormatError
from cutwise.files import write_whole
from cutwise.persist.strict import parse_json, require, write_json

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from numpy.typing import NDArray

NO_COST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class GeneticSettings:
    """The parameters of the algorithm; the defaults are those of the article on EMD.

    Parameters
    ----------
    population : int
        The number of members.
    max_evaluations : int
        How many members are judged before the search ends, repeated ones counted too.
    max_restarts : int
        How many restarts in a row may bring no better member.
    add_rate : float
        p_rec of the article: how probably a crossing sets a bit that it moves to a member.
    redraw_rate : float
        r of the article: the share of bits that a restart draws anew.
    redraw_ones : float
        p_div of the article: how probably such a bit is set.
    reduction : float
        The share of the bits that a reduction takes out of the search.
    n_reductions : int
        How often a reduction is looked at, evenly spread over the evaluations.
    min_bits : int
        A reduction must leave more bits than this.
    """

    population: int = 50
    max_evaluations: int = 10_000
    max_restarts: int = 5
    add_rate: float = 0.25
    redraw_rate: float = 0.35
    redraw_ones: float = 0.05
    reduction: float = 0.5
    n_reductions: int = 10
    min_bits: int = 1000


@dataclass
class GeneticState:
    """Where a run stands between two generations.

    Parameters
    ----------
    generator : Generator
        The only source of chance.
    members : ndarray of bool, of shape (population, n_bits)
        Sorted, the best one first.
    costs : ndarray of int64
        The cost of each member.
    active : ndarray of bool
        The bits that no reduction has taken out; the others are never set.
    usage : ndarray of int64
        In how many members of all generations each bit was set.
    threshold : float
        Members cross only if half of the number of their different bits is larger.
    evaluations : int
    stale_restarts : int
        The restarts in a row that brought no better member.
    cost_at_restart : int
        The smallest cost when the last restart began.
    reductions_seen : int
    """

    generator: np.random.Generator
    members: NDArray[np.bool_]
    costs: NDArray[np.int64]
    active: NDArray[np.bool_]
    usage: NDArray[np.int64]
    threshold: float
    evaluations: int = 0
    stale_restarts: int = 0
    cost_at_restart: int = NO_COST
    reductions_seen: int = 0

    @property
    def best(self) -> NDArray[np.bool_]:
        """The best member so far."""
        best: NDArray[np.bool_] = self.members[0]
        return best

    def reason_to_stop(self, rules: GeneticSettings) -> str | None:
        """Return why the run is over, or None."""
        if self.evaluations >= rules.max_evaluations:
            return "evaluations"
        return "restarts" if self.stale_restarts >= rules.max_restarts else None


class Proposal(NamedTuple):
    """Rows of bits to be judged, and whether they take the place of all members but the best."""

    bits: NDArray[np.bool_]
    is_restart: bool


def begin(n_bits: int, seed: int | None) -> GeneticState:
    """Return a state without members; the first proposal fills it."""
    return GeneticState(
        generator=np.random.default_rng(seed),
        members=np.empty((0, n_bits), dtype=np.bool_),
        costs=np.empty(0, dtype=np.int64),
        active=np.ones(n_bits, dtype=np.bool_),
        usage=np.zeros(n_bits, dtype=np.int64),
        threshold=n_bits / 4,
    )


def propose(state: GeneticState, rules: GeneticSettings) -> Proposal:
    """Draw what is to be judged next; there may be nothing when no members differ enough."""
    if not len(state.members):
        proposal = Proposal(_first_members(state, rules), is_restart=False)
    elif _reduction_is_due(state, rules):
        _reduce(state, rules)
        proposal = Proposal(_diverge(state, rules), is_restart=True)
    elif state.threshold < 0:
        proposal = Proposal(_diverge(state, rules), is_restart=True)
    else:
        proposal = Proposal(_cross(state, rules), is_restart=False)
    n_left = rules.max_evaluations - state.evaluations
    return Proposal(proposal.bits[:n_left], proposal.is_restart)


def accept(state: GeneticState, rules: GeneticSettings, proposal: Proposal, costs: NDArray[np.int64]) -> None:
    """Bring the state to the next generation."""
    n_old = 1 if proposal.is_restart else len(state.members)
    n_new = len(costs)
    members = np.concatenate([state.members[:n_old], proposal.bits])
    all_costs = np.concatenate([state.costs[:n_old], costs])
    # Sorting is stable: of equals the older one comes first.
    order = np.lexsort((-members.sum(axis=1), all_costs))[: rules.population]
    state.members, state.costs = members[order], all_costs[order]
    state.evaluations += n_new
    if n_new:
        state.usage += state.members.sum(axis=0)
    if proposal.is_restart:
        n_active = int(state.active.sum())
        state.threshold = float(round(rules.redraw_rate * (1.0 - rules.redraw_rate) * n_active))
    elif not (order >= n_old).any():
        state.threshold -= 1.0
        if state.threshold < 0:
            _note_convergence(state)


def _note_convergence(state: GeneticState) -> None:
    """Count the restarts that brought nothing; what comes next is a restart."""
    cost = int(state.costs[0])
    state.stale_restarts = 0 if cost < state.cost_at_restart else state.stale_restarts + 1
    state.cost_at_restart = cost


def _first_members(state: GeneticState, rules: GeneticSettings) -> NDArray[np.bool_]:
    """Return one member with all bits and others with half of them by chance."""
    members = state.generator.random((rules.population, state.active.size)) < 0.5
    members[0] = True
    return members


def _cross(state: GeneticState, rules: GeneticSettings) -> NDArray[np.bool_]:
    """Pair the members by chance and cross those that differ enough.

    Of the bits in which a pair differs, about half move: the parent that had the bit hands
    it over and loses it; the other one takes it with the probability add_rate.
    """
    random = state.generator.random
    order = np.argsort(random(len(state.members)), kind="stable")
    n_pairs = order.size // 2
    left, right = state.members[order[:n_pairs]], state.members[order[n_pairs : 2 * n_pairs]]
    differ = left != right
    far = differ.sum(axis=1) / 2 > state.threshold
    left, right, differ = left[far], right[far], differ[far]
    moved = differ & (random(differ.shape) < 0.5)
    taken = random(differ.shape) < rules.add_rate
    children = [np.where(moved, ~parent & taken, parent) for parent in (left, right)]
    return np.stack(children, axis=1).reshape(-1, state.active.size)


def _diverge(state: GeneticState, rules: GeneticSettings) -> NDArray[np.bool_]:
    """Return copies of the best member with some bits drawn anew."""
    random = state.generator.random
    shape = (rules.population - 1, state.active.size)
    redrawn = (random(shape) < rules.redraw_rate) & state.active
    return np.where(redrawn, random(shape) < rules.redraw_ones, state.best)


def _reduction_is_due(state: GeneticState, rules: GeneticSettings) -> bool:
    seen = state.evaluations * rules.n_reductions // rules.max_evaluations
    if seen <= state.reductions_seen:
        return False
    state.reductions_seen = seen
    return int(state.active.sum()) * (1.0 - rules.reduction) > rules.min_bits


def _reduce(state: GeneticState, rules: GeneticSettings) -> None:
    """Keep the bits of the best member and those used most; of equals the first ones."""
    n_active = int(state.active.sum())
    n_kept = max(int(n_active * (1.0 - rules.reduction)), int(state.best.sum()))
    order = np.lexsort((-state.usage, ~state.best, ~state.active))
    state.active[order[n_kept:]] = False


FORMAT = "cutwise genetic search"
VERSION = 1
# Writing takes as long as many an evaluation: the disk has to answer.
SECONDS_BETWEEN_WRITES = 0.5


def fingerprint(parameters: dict[str, Any], arrays: Iterable[NDArray[Any]]) -> str:
    """Return a string that differs for other parameters and other arrays."""
    digest = hashlib.sha256(json.dumps(parameters, sort_keys=True, default=np.generic.item).encode())
    for array in arrays:
        digest.update(f"{array.dtype.name} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


class Checkpoint:
    """The file of one search.

    Parameters
    ----------
    path : str or path
    mark : str
        The fingerprint of the search.
    n_bits, population : int
        The length of a member and the largest number of members.
    """

    def __init__(self, path: str | os.PathLike[str], mark: str, n_bits: int, population: int) -> None:
        self._path = Path(path)
        self._mark = mark
        self._n_bits = n_bits
        self._population = population
        self._unwritten: str | None = None
        self._written_at = -math.inf
        if not self._path.parent.is_dir():
            message = f"The folder of the checkpoint {str(self._path)!r} does not exist. Make it first."
            raise CheckpointError(message)

    def load(self) -> GeneticState | None:
        """Return the state in the file; None if there is no file."""
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            content = _checked(text)
            is_own = content["search"] == self._mark
            state = _state_from_dict(content["state"], self._n_bits, self._population) if is_own else None
        except (FormatError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            message = (
                f"The checkpoint {str(self._path)!r} cannot be read: {type(error).__name__}: {error} "
                "Delete it to start anew, or name another file."
            )
            raise CheckpointError(message) from None
        if state is None:
            message = (
                f"The checkpoint {str(self._path)!r} is of another search: the data or the parameters differ. "
                "Give each search a file of its own, or delete this one to start anew."
            )
            raise CheckpointError(message)
        return state

    def save(self, state: GeneticState) -> None:
        """Keep the state; it is written unless the last one was written just now."""
        body = write_json({"format": FORMAT, "version": VERSION, "search": self._mark, "state": _state_to_dict(state)})
        self._unwritten = f'{body[:-2]},"checksum":"{_checksum(body)}"}}\n'
        if time.monotonic() - self._written_at >= SECONDS_BETWEEN_WRITES:
            self.write()

    def write(self) -> None:
        """Write the last state that was kept; the old file stays whole until the new one is."""
        if self._unwritten is None:
            return
        write_whole(self._path, self._unwritten.encode("ascii"))
        self._unwritten = None
        self._written_at = time.monotonic()


def _checked(text: bytes) -> dict[str, Any]:
    """Return what a whole checkpoint holds."""
    content = parse_json(text)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        message = "This is no checkpoint."
        raise FormatError(message)
    require(content.get("version") == VERSION, f"The version {content.get('version')!r} is unknown.")
    checksum = content.pop("checksum", None)
    require(checksum == _checksum(write_json(content)), "The checksum is wrong.")
    return content


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def _state_to_dict(state: GeneticState) -> dict[str, Any]:
    generator: Any = state.generator.bit_generator.state
    return {
        "generator": [generator["state"]["state"], generator["state"]["inc"]],
        "members": [_pack(member) for member in state.members],
        "costs": state.costs.tolist(),
        "active": _pack(state.active),
        "usage": state.usage.tolist(),
        "threshold": state.threshold,
        "evaluations": state.evaluations,
        "stale_restarts": state.stale_restarts,
        "cost_at_restart": state.cost_at_restart,
        "reductions_seen": state.reductions_seen,
    }


def _state_from_dict(data: dict[str, Any], n_bits: int, population: int) -> GeneticState:
    bits = np.random.PCG64()
    number, increment = (int(number) for number in data["generator"])
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": number, "inc": increment},
        "has_uint32": 0,
        "uinteger": 0,
    }
    usage = np.array(data["usage"], dtype=np.int64)
    costs = np.array(data["costs"], dtype=np.int64)
    require(usage.shape == (n_bits,), f"It has {usage.size} candidates, not {n_bits}.")
    require(1 <= costs.size <= population, f"It has {costs.size} members, not 1 to {population}.")
    require(len(data["members"]) == costs.size, "It has not one cost for each member.")
    return GeneticState(
        generator=np.random.Generator(bits),
        members=np.array([_unpack(member, n_bits) for member in data["members"]]),
        costs=costs,
        active=_unpack(data["active"], n_bits),
        usage=usage,
        threshold=float(data["threshold"]),
        evaluations=int(data["evaluations"]),
        stale_restarts=int(data["stale_restarts"]),
        cost_at_restart=int(data["cost_at_restart"]),
        reductions_seen=int(data["reductions_seen"]),
    )


def _pack(bits: NDArray[np.bool_]) -> str:
    return np.packbits(bits).tobytes().hex()


def _unpack(text: str, n_bits: int) -> NDArray[np.bool_]:
    packed = np.frombuffer(bytes.fromhex(text), dtype=np.uint8)
    require(packed.size == (n_bits + 7) // 8, f"A member has {packed.size} bytes for {n_bits} candidates.")
    return np.unpackbits(packed, count=n_bits).astype(np.bool_)
