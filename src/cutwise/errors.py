"""Every exception and warning of the library."""

from __future__ import annotations


class CutwiseError(ValueError):
    """The base of the library's own exceptions."""


class TableError(CutwiseError):
    """A table cannot be read; the message names the column and what to do."""


class FormatError(CutwiseError):
    """JSON or a file does not follow its format; each format has an error of its own."""


class SchemeError(FormatError):
    """A scheme, or JSON that should hold one, breaks the rules of the format."""


class CheckpointError(FormatError):
    """A checkpoint is damaged or belongs to another search; the message names the file and what to do."""


class ModelError(FormatError):
    """A saved model, or JSON that should hold one, breaks the rules of the format."""


class ExportError(CutwiseError):
    """A scheme or a model cannot be written for a database or a runtime; the message says why."""


class DatasetError(FormatError):
    """A data set is unknown, absent, damaged or cannot be fetched; the message says what to do."""


class DatasetWarning(UserWarning):
    """A data set was fetched and differs from the file that the paper's figures rest on."""


class UnseenWarning(UserWarning):
    """Most values of a column are categories that fit did not see; the message shows one and says what to do."""


class JournalError(FormatError):
    """A journal is damaged, in use or cannot be written; the message names the file and what to do."""


class RunError(CutwiseError):
    """An evaluation cannot be run; the message says why and what to do."""


class CountsError(FormatError):
    """Counts of a table, or a file that should hold them, break the rules or do not fit each other."""


class ColumnWarning(UserWarning):
    """A column is not treated as a parameter or its numbers suggest; the message names it and says why."""


class WeightsWarning(UserWarning):
    """Sample weights that stand for numbers of rows hardly can; the message says what to do."""
