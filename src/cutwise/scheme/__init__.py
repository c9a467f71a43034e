"""Schemes: what was found, as data; codes of values, edits by hand, checks on new data."""

from __future__ import annotations

from cutwise.scheme.attribute import Attribute, Category, CutTrial, NominalAttribute, NumericAttribute
from cutwise.scheme.codes import codes_of_column, decode_codes, encode_columns, labels_of_codes, n_codes, one_hot
from cutwise.scheme.compare import evaluate
from cutwise.scheme.evaluation import AttributeEvaluation, BinEvaluation, Evaluation
from cutwise.scheme.measures import RateChange
from cutwise.scheme.new_rows import recounted
from cutwise.scheme.rules import STOP_REASONS
from cutwise.scheme.scheme import Scheme

__all__ = [
    "STOP_REASONS",
    "Attribute",
    "AttributeEvaluation",
    "BinEvaluation",
    "Category",
    "CutTrial",
    "Evaluation",
    "NominalAttribute",
    "NumericAttribute",
    "RateChange",
    "Scheme",
    "codes_of_column",
    "decode_codes",
    "encode_columns",
    "evaluate",
    "labels_of_codes",
    "n_codes",
    "one_hot",
    "recounted",
]
