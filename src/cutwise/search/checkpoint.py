"""The state of a genetic search in a file, so that a later run can go on from there.

The file is JSON. A new one is written beside it and then takes its place, so that there is
always a whole one. It holds a checksum, and a fingerprint of the data and the parameters.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cutwise.errors import CheckpointError, SchemeError
from cutwise.scheme.json_format import parse_json, write_json
from cutwise.search.chc import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

FORMAT = "cutwise genetic search"
VERSION = 1


def fingerprint(parameters: dict[str, Any], arrays: Iterable[NDArray[Any]]) -> str:
    """Return a text that differs for other parameters and other arrays."""
    digest = hashlib.sha256(json.dumps(parameters, sort_keys=True).encode())
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
        if not self._path.parent.is_dir():
            message = f"The folder of the checkpoint {str(self._path)!r} does not exist. Make it first."
            raise CheckpointError(message)

    def load(self) -> State | None:
        """Return the state in the file; None if there is no file."""
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return None
        content = self._checked(text)
        try:
            state = _state_from_dict(content["state"], self._n_bits)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise self._damaged(f"{type(error).__name__}: {error}") from None
        if not 1 <= len(state.members) <= self._population or len(state.costs) != len(state.members):
            raise self._damaged("it has a wrong number of members")
        return state

    def save(self, state: State) -> None:
        """Write the state; the old file stays whole until the new one is."""
        content = {"format": FORMAT, "version": VERSION, "search": self._mark, "state": _state_to_dict(state)}
        text = write_json({**content, "checksum": _checksum(content)})
        handle, name = tempfile.mkstemp(prefix=f".{self._path.name}.", suffix=".tmp", dir=self._path.parent)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self._path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise

    def _checked(self, text: bytes) -> dict[str, Any]:
        try:
            content = parse_json(text)
        except SchemeError as error:
            raise self._damaged(str(error)) from None
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise self._damaged("it is no checkpoint")
        if content.get("version") != VERSION:
            raise self._damaged(f"its version {content.get('version')!r} is unknown")
        checksum = content.pop("checksum", None)
        if checksum != _checksum(content):
            raise self._damaged("its checksum is wrong")
        if content.get("search") != self._mark:
            message = (
                f"The checkpoint {str(self._path)!r} is of another search: the data or the parameters differ. "
                "Give each search a file of its own, or delete this one to start anew."
            )
            raise CheckpointError(message)
        return content

    def _damaged(self, why: str) -> CheckpointError:
        return CheckpointError(
            f"The checkpoint {str(self._path)!r} cannot be read: {why}. Delete it to start anew, or name another file."
        )


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(write_json(content).encode()).hexdigest()


def _state_to_dict(state: State) -> dict[str, Any]:
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


def _state_from_dict(data: dict[str, Any], n_bits: int) -> State:
    bits = np.random.PCG64()
    number, increment = (int(number) for number in data["generator"])
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": number, "inc": increment},
        "has_uint32": 0,
        "uinteger": 0,
    }
    usage = np.array(data["usage"], dtype=np.int64)
    if usage.shape != (n_bits,):
        message = f"{usage.size} numbers for {n_bits} candidates"
        raise ValueError(message)
    return State(
        generator=np.random.Generator(bits),
        members=np.array([_unpack(member, n_bits) for member in data["members"]]).reshape(-1, n_bits),
        costs=np.array(data["costs"], dtype=np.int64),
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
    if packed.size != (n_bits + 7) // 8:
        message = f"{packed.size} bytes for {n_bits} candidates"
        raise ValueError(message)
    return np.unpackbits(packed, count=n_bits).astype(np.bool_)
