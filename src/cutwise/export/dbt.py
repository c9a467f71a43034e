"""A scheme for dbt: a seed with a line for each bin, and a macro that looks up the bins of a table's rows there."""

from __future__ import annotations

import csv
import io
import itertools
import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from cutwise.categories import NO_VALUE, spelled_codes
from cutwise.errors import ExportError
from cutwise.export.contents import LARGEST_WHOLE_DOUBLE, code_of_category, holds_numbers, with_numbers
from cutwise.export.dialects import DIALECTS, check_names, find_dialect
from cutwise.export.queries import is_missing, read_value
from cutwise.export.query import as_double, class_label, data_type
from cutwise.scheme import NominalAttribute, NumericAttribute
from cutwise.scheme.figures import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cutwise.export.dialects import SQLDialect
    from cutwise.scheme import Attribute, Scheme

# The columns of the seed and their types.
COLUMNS = {
    "place": "int",
    "attribute": "text",
    "kind": "text",
    "bin": "text",
    "lower": "double",
    "upper": "double",
    "category": "text",
    "code": "int",
}
_NAME = re.compile("[a-z_][a-z0-9_]*")
_JINJA = ("{{", "{%", "{#", "}}", "%}", "#}")
# What dbt reads from a seed as no value, whatever the case of its letters.
_NOTHING = ("", "null")


def dbt_files(scheme: Scheme, name: str, dialect: str) -> dict[str, str]:
    """Return the text of each file of a dbt project, by its path."""
    chosen = find_dialect(dialect)
    if chosen.doubles != "string" or chosen.collation:
        able = [own for own, one in DIALECTS.items() if one.doubles == "string" and not one.collation]
        raise ExportError(
            f"{chosen.title} may not read the numbers and texts of a seed as they are written. Put the query of "
            f"to_sql({dialect!r}) into a dbt model. Seeds are for {', '.join(map(repr, able))}."
        )
    if not _NAME.fullmatch(name):
        raise ExportError(f"'name' must be made of small letters, digits and underscores, not {name!r}.")
    if not scheme.attributes:
        raise ExportError("The scheme has no attribute, so there is nothing to select.")
    check_names(scheme.names, chosen)
    for own in scheme.names:
        if any(mark in own for mark in _JINJA):
            raise ExportError(f"Column {own!r}: dbt would take its braces for an instruction. Rename it.")
    numbers = _numbers(scheme)
    seed = f"{name}_bins"
    return {
        f"seeds/{seed}.csv": _seed(scheme, numbers),
        f"seeds/{seed}.yml": _types(seed, [*COLUMNS, *numbers], chosen),
        f"macros/{name}_codes.sql": _macro(scheme, name, list(numbers), chosen),
    }


def _numbers(scheme: Scheme) -> dict[str, list[list[float]]]:
    """Return the weights of evidence and the rates of all codes, if the scheme has an event and counts."""
    if scheme.event_place is None or not all(attribute.is_counted for attribute in scheme.attributes):
        return {}
    return {encode: with_numbers(scheme, encode)[1] or [] for encode in NUMBERS}


def _seed(scheme: Scheme, numbers: dict[str, list[list[float]]]) -> str:
    """Return a line for each bin, category and special value, and for what is missing or was never seen."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, *numbers])
    for place, attribute in enumerate(scheme.attributes):
        for kind, bin_label, lower, upper, category, own in _lines(attribute):
            is_gap = kind == "missing"
            code = -1 if is_gap and scheme.missing != "bin" else own
            row = [place, attribute.name, kind, bin_label, lower, upper, category, code]
            writer.writerow([*row, *(repr(of_code[place][own]) for of_code in numbers.values())])
    return text.getvalue()


def _lines(attribute: Attribute) -> Iterable[tuple[str, str, str, str, str, int]]:
    """Yield the kind, the label, the two ends, the category and the code of each line of an attribute."""
    labels = attribute.labels
    if isinstance(attribute, NumericAttribute):
        ends = ["", *map(repr, attribute.cuts), ""]
        for code, (lower, upper) in enumerate(itertools.pairwise(ends)):
            yield "interval", labels[code], lower, upper, "", code
        for code, number in enumerate(attribute.special_values, start=len(attribute.cuts) + 1):
            yield "special", labels[code], repr(number), repr(number), "", code
    elif isinstance(attribute, NominalAttribute) and holds_numbers(attribute):
        for category, code in code_of_category(attribute).items():
            written = repr(_small(category, attribute.name))
            yield "category", labels[code], written, written, "", code
    elif isinstance(attribute, NominalAttribute):
        codes = attribute.codes
        for spelling, place in spelled_codes(attribute.categories).items():
            yield "category", labels[codes[place]], "", "", _readable(spelling, attribute.name), codes[place]
    yield "missing", "missing", "", "", "", attribute.n_bins
    if isinstance(attribute, NominalAttribute):
        yield "unseen", "unseen", "", "", "", -1


def _small(category: Any, name: str) -> float:
    if abs(category) >= LARGEST_WHOLE_DOUBLE and category == int(category):
        raise ExportError(
            f"Attribute {name!r}: the category {category} is beyond 2**53, where doubles cannot tell whole numbers "
            "apart. Turn the column into text."
        )
    return float(category)


def _readable(category: str, name: str) -> str:
    if category.lower() in _NOTHING:
        raise ExportError(f"Attribute {name!r}: dbt reads the category {category!r} of a seed as no value. Rename it.")
    return category


def _types(seed: str, columns: Sequence[str], dialect: SQLDialect) -> str:
    """Return the description of the seed, which names the type of each column."""
    lines = ["version: 2", "", "seeds:", f"  - name: {seed}", "    config:", "      column_types:"]
    kinds = {column: data_type(COLUMNS.get(column, "double")).sql(dialect=dialect.parser) for column in columns}
    lines += [f"        {column}: {kind}" for column, kind in kinds.items()]
    return "\n".join(lines) + "\n"


_MACRO = """\
{{#- The codes of the rows of a relation, looked up in the seed {name}_bins:
     {{{{ {name}_codes(ref('people'), keep=['id']) }}}}.
     With number='woe' or 'rate' weights of evidence or rates of the event, where the seed has them. -#}}
{{%- macro {name}_codes(relation, keep=[], number='code') -%}}
{{%- if number not in {numbers} -%}}
{{{{ exceptions.raise_compiler_error("number must be one of {shown}, not '" ~ number ~ "'") }}}}
{{%- endif -%}}
WITH cutwise_values AS (
  SELECT
    {{%- for column in keep %}}
    cutwise_input.{{{{ adapter.quote(column) }}}} AS k{{{{ loop.index0 }}}},
    {{%- endfor %}}
    {values}
  FROM {{{{ relation }}}} AS cutwise_input
)
SELECT
  {{%- for column in keep %}}
  k{{{{ loop.index0 }}}} AS {{{{ adapter.quote(column) }}}},
  {{%- endfor %}}
  {results}
FROM cutwise_values
{joins}
{{%- endmacro -%}}
"""


def _macro(scheme: Scheme, name: str, numbers: list[str], dialect: SQLDialect) -> str:
    values, results, joins = [], [], []
    for place, attribute in enumerate(scheme.attributes):
        column = exp.column(exp.to_identifier(attribute.name, quoted=True), table="cutwise_input")
        value = read_value(attribute, column, dialect).sql(dialect=dialect.parser)
        values.append(f"{value} AS v{place}")
        tables = _lookups(attribute, place, dialect)
        joins += [
            f"LEFT JOIN {{{{ ref('{name}_bins') }}}} AS {table}\n  ON {table}.place = {place} AND {condition}"
            for table, condition in tables.items()
        ]
        found = ", ".join(f"{table}.{{{{ number }}}}" for table in tables)
        quoted = exp.to_identifier(attribute.name, quoted=True).sql(dialect=dialect.parser)
        results.append(f"COALESCE({found}) AS {quoted}")
    allowed = ["code", *numbers]
    return _MACRO.format(
        name=name,
        numbers=allowed,
        shown=", ".join(allowed),
        values=",\n    ".join(values),
        results=",\n  ".join(results),
        joins="\n".join(joins),
    )


def _lookups(attribute: Attribute, place: int, dialect: SQLDialect) -> dict[str, str]:
    """Return when a row belongs to a line of the seed; of several lines, those that come first decide."""
    value = f"v{place}"
    is_number = isinstance(attribute, NominalAttribute) and holds_numbers(attribute)
    if isinstance(attribute, NumericAttribute) or is_number:
        own = as_double(exp.column(value), dialect) if is_number else exp.column(value)
        gap = is_missing(own, dialect).sql(dialect=dialect.parser)
    else:
        words = ", ".join(class_label(word, dialect).sql(dialect=dialect.parser) for word in NO_VALUE)
        gap = f"{value} IS NULL OR {value} IN ({words})"
    missing = {f"m{place}": f"m{place}.kind = 'missing' AND ({gap})"}
    if isinstance(attribute, NumericAttribute):
        table = f"b{place}"
        lower = f"({table}.lower IS NULL OR {value} > {table}.lower)"
        upper = f"({table}.upper IS NULL OR {value} <= {table}.upper)"
        special = {f"s{place}": f"s{place}.kind = 'special' AND {value} = s{place}.lower"}
        return {
            **missing,
            **(special if attribute.special_values else {}),
            table: f"{table}.kind = 'interval' AND {lower} AND {upper}",
        }
    key = "lower" if is_number else "category"
    return {
        f"c{place}": f"c{place}.kind = 'category' AND {value} = c{place}.{key}",
        **missing,
        f"u{place}": f"u{place}.kind = 'unseen'",
    }
