"""Encode: apply a scheme to a table."""

from __future__ import annotations

from cutwise.encode.codes import codes_of_column, encode_columns, n_codes
from cutwise.encode.forms import decode_codes, labels_of_codes, one_hot

__all__ = ["codes_of_column", "decode_codes", "encode_columns", "labels_of_codes", "n_codes", "one_hot"]
