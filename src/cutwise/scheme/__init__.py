"""Schemes: what was found, as data; codes of values, edits by hand, checks on new data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.lazy import lazy_names

if TYPE_CHECKING:
    from cutwise.scheme.attribute import Attribute as Attribute
    from cutwise.scheme.attribute import Category as Category
    from cutwise.scheme.attribute import CutTrial as CutTrial
    from cutwise.scheme.attribute import NominalAttribute as NominalAttribute
    from cutwise.scheme.attribute import NumericAttribute as NumericAttribute
    from cutwise.scheme.codes import codes_of_column as codes_of_column
    from cutwise.scheme.codes import decode_codes as decode_codes
    from cutwise.scheme.codes import encode_columns as encode_columns
    from cutwise.scheme.codes import labels_of_codes as labels_of_codes
    from cutwise.scheme.codes import n_codes as n_codes
    from cutwise.scheme.codes import one_hot as one_hot
    from cutwise.scheme.compare import evaluate as evaluate
    from cutwise.scheme.evaluation import AttributeEvaluation as AttributeEvaluation
    from cutwise.scheme.evaluation import BinEvaluation as BinEvaluation
    from cutwise.scheme.evaluation import Evaluation as Evaluation
    from cutwise.scheme.measures import RateChange as RateChange
    from cutwise.scheme.new_rows import recounted as recounted
    from cutwise.scheme.rules import STOP_REASONS as STOP_REASONS
    from cutwise.scheme.scheme import Scheme as Scheme

_HOMES = {
    "Attribute": "attribute",
    "AttributeEvaluation": "evaluation",
    "BinEvaluation": "evaluation",
    "Category": "attribute",
    "CutTrial": "attribute",
    "Evaluation": "evaluation",
    "NominalAttribute": "attribute",
    "NumericAttribute": "attribute",
    "RateChange": "measures",
    "STOP_REASONS": "rules",
    "Scheme": "scheme",
    "codes_of_column": "codes",
    "decode_codes": "codes",
    "encode_columns": "codes",
    "evaluate": "compare",
    "labels_of_codes": "codes",
    "n_codes": "codes",
    "one_hot": "codes",
    "recounted": "new_rows",
}
__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
