"""Models: learned classifiers as data, written to JSON and read back."""

from __future__ import annotations

from cutwise.persist.classifier_model import ClassifierModel, CodeModel
from cutwise.persist.fields import LearnedField, Sizes
from cutwise.persist.saved_model import SavedModel, find_model, model_from_json

__all__ = [
    "ClassifierModel",
    "CodeModel",
    "LearnedField",
    "SavedModel",
    "Sizes",
    "find_model",
    "model_from_json",
]
