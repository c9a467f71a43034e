"""Models: learned classifiers as data, written to JSON and read back."""

from __future__ import annotations

from cutwise.models.classifier_model import ClassifierModel
from cutwise.models.code_model import CodeModel
from cutwise.models.fields import Field, Sizes
from cutwise.models.saved_model import MODELS, SavedModel, find_model, model_from_json, saved_model

__all__ = [
    "MODELS",
    "ClassifierModel",
    "CodeModel",
    "Field",
    "SavedModel",
    "Sizes",
    "find_model",
    "model_from_json",
    "saved_model",
]
