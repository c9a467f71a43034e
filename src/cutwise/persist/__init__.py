"""Strict data in and out: JSON with limits, and learned classifiers as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutwise.lazy import lazy_names

if TYPE_CHECKING:
    from cutwise.persist.classifier_model import ClassifierModel as ClassifierModel
    from cutwise.persist.classifier_model import CodeModel as CodeModel
    from cutwise.persist.fields import LearnedField as LearnedField
    from cutwise.persist.fields import Sizes as Sizes
    from cutwise.persist.saved_model import SavedModel as SavedModel
    from cutwise.persist.saved_model import find_model as find_model
    from cutwise.persist.saved_model import model_from_json as model_from_json

_HOMES = {
    "ClassifierModel": "classifier_model",
    "CodeModel": "classifier_model",
    "LearnedField": "fields",
    "SavedModel": "saved_model",
    "Sizes": "fields",
    "find_model": "saved_model",
    "model_from_json": "saved_model",
}
__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
