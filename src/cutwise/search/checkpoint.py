"""The state of a genetic search in a file, so that a later run can go on from there.

The file is JSON. A new one is written beside it and then takes its place, so that there is
always a whole one. It holds a checksum, and a fingerprint of the data and the parameters. The
state of each generation is kept, but the disk is asked no more than twice in a second; what
is kept is written when the search ends or is broken off.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import CheckpointError, FormatError
from cutwise.files import write_whole
from cutwise.persist.strict import parse_json, require, write_json
from cutwise.search.chc import GeneticState

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from numpy.typing import NDArray

FORMAT = "cutwise genetic search"
VERSION = 1
# Writing takes as long as many an evaluation: the disk has to answer.
SECONDS_BETWEEN_WRITES = 0.5


def fingerprint(parameters: dict[str, Any], arrays: Iterable[NDArray[Any]]) -> str:
    """Return a text that differs for other parameters and other arrays."""
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
