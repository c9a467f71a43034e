"""Messy files: what strings mean is read, and columns that are not worth learning from are left out, with a word."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from cutwise.cli.output import in_options
from cutwise.errors import CutwiseError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cutwise.cli.inputs import LearningInputs
    from cutwise.scheme import Attribute, Scheme
    from cutwise.table.cleaning import CleanTable
    from cutwise.table.reading import ReadSettings

ALL = "*"
# A column whose bins tell so much of what there is to know about the class is likely to be made from it.
GIVES_AWAY = 0.95
FEWEST = 50


def clean_columns(frame: Any, settings: ReadSettings, formats: Mapping[str, str] | None = None) -> CleanTable:
    """Return a table whose strings are read, and print a line for each column that is not what it looks like."""
    from cutwise.cli.inputs import plain_errors
    from cutwise.scheme.text import shown
    from cutwise.table.cleaning import CleanTable, clean_table

    if not settings.clean:
        return CleanTable(frame, {}, ())
    with plain_errors():
        found = clean_table(frame, formats, texts=settings.texts, decimal=settings.decimal)
    for note in found.notes:
        typer.echo(shown(in_options(note)), err=True)
    return found


def formats_of(scheme: Scheme) -> dict[str, str]:
    """Return how each column of a scheme is written: as in the file that it was learned from.

    A column with a category such as "n/a" is not among them, as it was not cleaned.
    """
    from cutwise.table.cleaning import PLAIN, TEXT
    from cutwise.table.cleaning.words import is_no_word

    found = {}
    for attribute in scheme.attributes:
        words = [text for text in getattr(attribute, "categories", ()) if isinstance(text, str)]
        if attribute.kind == "numeric" or not any(is_no_word(text, among_categories=True) for text in words):
            usual = PLAIN if attribute.kind == "numeric" else TEXT
            found[attribute.name] = scheme.formats.get(attribute.name, usual)
    return found


def with_formats(scheme: Scheme, formats: Mapping[str, str]) -> Scheme:
    """Return a scheme that knows how its columns were written, where that is not plain."""
    from cutwise.table.cleaning import PLAIN, TEXT

    kept = {name: form for name, form in formats.items() if name in scheme.names and form not in {PLAIN, TEXT}}
    return replace(scheme, formats=kept) if kept else scheme


def without_flagged(inputs: LearningInputs, keep: Collection[str], named: Collection[str]) -> LearningInputs:
    """Return what there is to learn from without columns that name rows, are constant or hardly repeat.

    Parameters
    ----------
    inputs : LearningInputs
    keep : collection of str
        Columns that are used although they are flagged; "*" stands for all.
    named : collection of str
        Columns that were asked for by name, which are used too, with a word.
    """
    from cutwise.table.cleaning import flag_columns
    from cutwise.table.frames import check_column

    for name in keep:
        if name != ALL:
            check_column(inputs.X, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit will tell
        flags = flag_columns(inputs.X, inputs.formats)
    return _without(inputs, flags, {*keep, *named})


def _without(
    inputs: LearningInputs, flags: Mapping[str, str], keep: Collection[str], *, all_stay: bool = False
) -> LearningInputs:
    from cutwise.scheme.text import shown
    from cutwise.table.frames import names_of, select_columns

    stay = all_stay or ALL in keep
    out = {name: reason for name, reason in flags.items() if not stay and name not in keep}
    left = [name for name in names_of(inputs.X) if name not in out]
    if not left:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in list(out.items())[:3])
        raise CutwiseError(f"No column is left to work on ({reasons}). Use them all the same: --keep '*'.")
    for name, reason in flags.items():
        asked = "It is used as you asked." if {name, ALL} & {*keep} else "It is used, as there is no other."
        end = f"It is left out; --keep {name} uses it." if name in out else asked
        typer.echo(shown(f"{name}: {reason}. {end}"), err=True)
    if not out:
        return inputs
    return replace(inputs, X=select_columns(inputs.X, left), left_out={**inputs.left_out, **out})


def without_giveaways(inputs: LearningInputs, scheme: Scheme, keep: Collection[str]) -> LearningInputs:
    """Return what there is to learn from without columns whose bins tell nearly all about the class.

    If there are no others they stay, with a word.
    """
    if inputs.y is None:
        return inputs
    found = {one.name: reason for one in scheme.attributes if (reason := _giveaway(one))}
    return _without(inputs, found, keep, all_stay=len(found) == len(scheme.attributes))


def _giveaway(attribute: Attribute) -> str:
    """Return that an attribute gives the class away, nothing if it does not.

    What categories tell is more than new rows will show, and is lowered by what chance adds on average.
    """
    counts = attribute.class_counts
    by_class = [sum(column) for column in zip(*counts, strict=True)] if counts else []
    n_rows = sum(by_class)
    if not attribute.is_counted or n_rows < FEWEST or sum(count > 0 for count in by_class) < 2:
        return ""
    entropy = -sum(count / n_rows * math.log2(count / n_rows) for count in by_class if count)
    by_chance = (attribute.n_bins - 1) * (len(by_class) - 1) / (2 * n_rows * math.log(2))
    told = (attribute.relevance - by_chance) / entropy
    return f"it gives the class away: it tells {told:.0%} of what there is to know" if told >= GIVES_AWAY else ""
