"""A journal keeps the results of a run: lines are only added, so that a break loses nothing but the last."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import os
import platform
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutwise import __version__
from cutwise.errors import JournalError
from cutwise.files import FileLock, LockHeldError
from cutwise.paper.evaluate.journal_lines import JournalContent, header_line, read_lines, result_line, session_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

    from cutwise.paper.evaluate.cells import CellResult, ResultCell

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "torch")
_OPENERS = {".gz": gzip.open, ".xz": lzma.open}
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)


class Journal:
    """A journal that is open for writing; nobody else can open it until it is closed.

    What a break has left behind the last whole line is cut off when the journal is opened. A
    damaged line in the midst stays and is not used. Opening adds nothing: the header and the
    session's line are written with the first result.

    Parameters
    ----------
    path : str or path
        The file; it is made if there is none.
    protocol : dict, optional
        What all results have in common, such as the seed and the number of folds: plain
        JSON values. A journal with another protocol is refused.

    Attributes
    ----------
    results : dict
        The last result of each cell.
    notes : list of str
        What was wrong with the file, one sentence each.

    Raises
    ------
    JournalError
        If the file is no journal, has another protocol, is in use or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from cutwise.paper.evaluate import ResultCell, Journal, CellResult
    >>> path = Path(tempfile.mkdtemp()) / "iris.journal"
    >>> with Journal(path, protocol={"seed": 0}) as journal:
    ...     journal.append(CellResult(ResultCell("iris", "mrmd", "nb", 0, 3), n_rows=15, n_correct=14))
    >>> [str(result.cell) for result in Journal.read(path)]
    ['iris/mrmd/nb/0/3']
    """

    def __init__(self, path: str | os.PathLike[str], protocol: Mapping[str, Any] | None = None) -> None:
        self._path = Path(path)
        self._name = repr(str(self._path))
        self._descriptor = -1
        self._is_torn = False
        self._lock = self._locked()
        try:
            self._open(dict(protocol or {}))
        except BaseException:
            self._lock.release()
            raise

    @staticmethod
    def read(path: str | os.PathLike[str]) -> list[CellResult]:
        """Return the last result of each cell, in the order of the cells.

        Parameters
        ----------
        path : str or path
            The file, plain or compressed: .gz or .xz. It may be in use.
        """
        content = read_content(path)
        return [content.results[cell][0] for cell in sorted(content.results)]

    def append(self, result: CellResult) -> None:
        """Keep a result; it is on the disk when this returns.

        Raises
        ------
        JournalError
            If the result is not valid, or if the disk does not take it. The journal is then
            as it was before.
        """
        lines = result_line(result, self._session)
        if self._session not in self._sessions:
            lines = session_line(self._session, library_versions()) + lines
        if not self._size:
            lines = header_line(self._protocol) + lines
        self._write(lines)
        self._size += len(lines)
        self._sessions.add(self._session)
        self.results[result.cell] = result

    def close(self) -> None:
        """Let others open the journal."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _locked(self) -> FileLock:
        if self._path.suffix in _OPENERS:
            message = f"The journal {self._name} is compressed and can only be read. Unpack it to go on with it."
            raise JournalError(message)
        try:
            return FileLock(self._path.with_name(self._path.name + ".lock"))
        except LockHeldError as error:
            raise JournalError(
                f"The journal {self._name} is in use by process {error.holder}. Wait for its end, or name another file."
            ) from error
        except OSError as error:
            raise JournalError(_problem("be opened", self._name, error)) from error

    def _open(self, protocol: dict[str, Any]) -> None:
        try:
            self._descriptor = os.open(self._path, _FLAGS, 0o644)
        except OSError as error:
            raise JournalError(_problem("be opened", self._name, error)) from error
        try:
            content = self._checked(protocol)
        except BaseException:
            os.close(self._descriptor)
            raise
        self._protocol = protocol
        self._size = content.size
        self._session = content.next_session
        self._sessions: set[int] = set()
        self.results: dict[ResultCell, CellResult] = {cell: result for cell, (result, _) in content.results.items()}
        self.notes = notes_of(content)

    def _checked(self, protocol: dict[str, Any]) -> JournalContent:
        """Return what the file holds, after a torn end was cut off."""
        try:
            with self._path.open("rb") as file:
                content = read_lines(file, self._name)
            if content.protocol is not None and content.protocol != protocol:
                raise JournalError(
                    f"The journal {self._name} has the protocol {content.protocol}, this run {protocol}. "
                    "Name another file, or run with the journal's settings."
                )
            if content.n_torn:
                os.ftruncate(self._descriptor, content.size)
                os.fsync(self._descriptor)
        except OSError as error:
            raise JournalError(_problem("be opened", self._name, error)) from error
        return content

    def _write(self, lines: bytes) -> None:
        """Add lines as a whole or not at all."""
        if self._descriptor < 0:
            raise JournalError(f"The journal {self._name} is closed. Open it again to go on.")
        try:
            if self._is_torn:
                os.ftruncate(self._descriptor, self._size)
            self._is_torn = True
            rest = memoryview(lines)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
            if not self._size:
                _sync_folder(self._path.parent)
            self._is_torn = False
        except BaseException as error:
            # What cannot be taken back now is cut off by the next write or the next run.
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
                self._is_torn = False
            if isinstance(error, OSError):
                raise JournalError(_problem("be written", self._name, error)) from error
            raise


def read_content(path: str | os.PathLike[str]) -> JournalContent:
    """Return all that a journal holds; it may be in use.

    Parameters
    ----------
    path : str or path
        The file, plain or compressed: .gz or .xz.

    Raises
    ------
    JournalError
        If the file cannot be read or is no journal.
    """
    name = repr(str(path))
    opener: Any = _OPENERS.get(Path(path).suffix, open)
    try:
        with opener(path, "rb") as file:
            return read_lines(file, name)
    except FileNotFoundError as error:
        message = f"There is no journal {name}. Run the evaluation first, or name another file."
        raise JournalError(message) from error
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise JournalError(_problem("be read", name, error)) from error


def notes_of(content: JournalContent) -> list[str]:
    """Return what is wrong with a journal, one sentence each."""
    notes = []
    if content.n_torn:
        notes.append(f"{content.n_torn} torn line{'s' * (content.n_torn > 1)} at the end dropped.")
    if content.damaged:
        lines = ", ".join(str(number) for number in content.damaged[:5]) + ", …" * (len(content.damaged) > 5)
        notes.append(f"{len(content.damaged)} damaged line{'s' * (len(content.damaged) > 1)} not used: {lines}.")
    return notes


def library_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that results depend on."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # slow to load

    versions = {"cutwise": __version__, "python": platform.python_version(), "machine": platform.machine()}
    for name in _LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions


def _problem(verb: str, name: str, error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"The journal {name} cannot {verb}: {reason}. What it held before is safe."


def _sync_folder(folder: Path) -> None:
    """Let a new file's name survive a loss of power, where folders can be written out."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
