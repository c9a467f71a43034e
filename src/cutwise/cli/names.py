"""Methods by the names that people type. Nothing is loaded before one is used."""

from __future__ import annotations

from typing import Any

from cutwise.errors import CutwiseError

METHODS = {
    "mrmd": "MRmDDiscretizer",
    "mdmd": "MDmDDiscretizer",
    "mdlp": "MDLPDiscretizer",
    "caim": "CAIMDiscretizer",
    "cacc": "CACCDiscretizer",
    "ameva": "AmevaDiscretizer",
    "cadd": "CADDDiscretizer",
    "modl": "MODLDiscretizer",
    "chimerge": "ChiMergeDiscretizer",
    "chi2": "Chi2Discretizer",
    "modified-chi2": "ModifiedChi2Discretizer",
    "extended-chi2": "ExtendedChi2Discretizer",
    "emd": "EMDDiscretizer",
    "max-relevance": "MaxRelevanceDiscretizer",
    "pkid": "PKIDDiscretizer",
    "fixed-frequency": "FixedFrequencyDiscretizer",
    "equal-frequency": "EqualFrequencyDiscretizer",
    "equal-width": "EqualWidthDiscretizer",
    "fixed-cuts": "FixedCutsDiscretizer",
}
CLASSIFIERS = {
    "rnb": "RNBClassifier",
    "nb": "NaiveBayesClassifier",
    "wanbia": "WANBIAClassifier",
    "cawnb": "CAWNBClassifier",
    "aiwnb": "AIWNBClassifier",
    "aode": "AODEClassifier",
    "plr": "PreconditionedLogisticClassifier",
    "c45": "C45Classifier",
}


def method_class(name: str) -> type[Any]:
    """Return the discretizer of a name."""
    return _class(name, METHODS, "method")


def make_classifier(name: str) -> Any:
    """Return the classifier of codes of a name."""
    cls = _class(name, CLASSIFIERS, "classifier")
    return cls(nominal="all") if "nominal" in cls._get_param_names() else cls()


def _class(name: str, known: dict[str, str], what: str) -> type[Any]:
    import cutwise  # noqa: PLC0415  # its names are loaded when they are used
    from cutwise.table.choosing import suggestion  # noqa: PLC0415

    if name not in known:
        message = f"There is no {what} {name!r}{suggestion(name, list(known))}"
        raise CutwiseError(message)
    found: type[Any] = getattr(cutwise, known[name])
    return found
