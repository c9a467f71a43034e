"""One table, one answer (promise 33): a messy file comes through every door, and the predictions are the same."""

from __future__ import annotations

import json
import warnings

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest

from cutwise import DiscretizedClassifier, MRmDDiscretizer, Scheme, TableError
from cutwise.categories import category_text
from cutwise.cli import main
from cutwise.errors import UnseenWarning
from cutwise.persist import model_from_json

TOWNS = [" Bonn", "Bonn ", "bonn", "Rome\t", "Rome"]
NAMES = ["age", "town", "member", "postcode", "zone", "mark"]
TEXTS = ("postcode", "zone")


def lines(n_rows=200):
    """Rows of a file: blanks, booleans, zeros in front, whole numbers with gaps, capitals, signs for no value."""
    rng = np.random.default_rng(5)
    for _ in range(n_rows):
        age, town, member = rng.integers(20, 60), rng.integers(5), rng.integers(2)
        postcode, zone, mark = rng.integers(4), rng.integers(5), rng.integers(4)
        late = rng.random() < 0.15 + 0.1 * (town == 2) + 0.25 * member + 0.2 * (postcode == 1) + 0.15 * (zone == 3)
        yield [
            "" if age == 33 else f" {age}",
            TOWNS[town],
            ["False", "True"][member],
            ["01067", "1067", "53113", "00118"][postcode],
            ["", "1", "2", "3", "12"][zone],
            ["", "?", "x", " x "][mark],
            "yes" if late else "no",
        ]


@pytest.fixture(params=["code", "bin"])
def learned(request, tmp_path):
    """A file, the model that the command line makes of it, and its predictions."""
    file, model, out = (str(tmp_path / name) for name in ("messy.csv", "m.json", "out.csv"))
    content = "\n".join(",".join(line) for line in [[*NAMES, "late"], *lines()])
    (tmp_path / "messy.csv").write_text(content + "\n")
    as_text = [argument for name in TEXTS for argument in ("--as-text", name)]
    assert main(["fit", file, "-t", "late", "--model", model, "--missing", request.param, *as_text]) == 0
    assert main(["apply", model, file, "-o", out, "--only"]) == 0
    return file, model_from_json((tmp_path / "m.json").read_text()), written(out)


def written(file):
    """The probabilities in a file; pandas before 3 does not read every number as it was written."""
    return pl.read_csv(file).select("P(no)", "P(yes)").to_numpy()


def pandas_objects(file):
    return read_pandas(file).astype(object).to_numpy()


def read_pandas(file):
    return pd.read_csv(file, dtype={"postcode": str})[NAMES]


def read_polars(file):
    return pl.read_csv(file, schema_overrides={"postcode": pl.String})[NAMES]


def read_polars_as_text(file):
    return pl.read_csv(file, infer_schema=False)[NAMES]


def read_arrow(file):
    options = pa.csv.ConvertOptions(column_types={"postcode": pa.string()})
    return pa.csv.read_csv(file, convert_options=options).select(NAMES)


def with_numbers(frame):
    """Return a frame of polars, which takes numbers with blanks for texts, with numbers."""
    return frame.with_columns(pl.col("age").str.strip_chars().cast(pl.Float64, strict=False))


READERS = [read_pandas, read_polars, read_arrow]


@pytest.mark.parametrize("read", [*READERS, read_polars_as_text])
def test_every_reader_in_python(learned, read):
    file, model, expected = learned
    assert model.predict_proba(read(file)).tolist() == expected.tolist()


def test_arrays_of_objects(learned):
    file, model, expected = learned
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        assert model.predict_proba(pandas_objects(file)).tolist() == expected.tolist()


@pytest.mark.parametrize("types", ["types={'postcode': 'VARCHAR'}", "all_varchar=true, nullstr=''"])
def test_sql(learned, types):
    file, model, expected = learned
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE data AS SELECT * FROM read_csv('{file}', {types})")  # noqa: S608
        rows = connection.execute(model.to_sql("duckdb")).fetchall()
    assert np.array([row[1:] for row in rows]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("read", [read_polars, read_polars_as_text])
def test_expressions_of_polars(learned, read):
    file, model, expected = learned
    codes = with_numbers(read(file)).select(model.scheme_.to_polars())
    assert model.classifier_.predict_proba(codes.to_numpy()).tolist() == expected.tolist()


@pytest.mark.parametrize("read", [str, read_pandas, read_polars, read_arrow])
def test_tables_where_they_lie(learned, read):
    file, model, expected = learned
    if read is str:
        table = duckdb.sql(f"SELECT * FROM read_csv('{file}', types={{'postcode': 'VARCHAR'}})")  # noqa: S608
        codes = np.array(model.scheme_.transform_table(table).fetchall())
    else:
        table = read(file)
        if read is read_polars:
            with pytest.raises(TableError, match=r"Column 'age' has the type .*string, but in fit it held numbers"):
                model.scheme_.transform_table(table)
            table = with_numbers(table)
        found = model.scheme_.transform_table(table)
        codes = (found.to_pandas() if isinstance(found, pa.Table) else found).to_numpy()
    assert model.classifier_.predict_proba(codes).tolist() == expected.tolist()


def test_onnx(learned):
    """The runtime compares texts as they are, so blanks come off before."""
    file, model, expected = learned
    table = read_pandas(file)
    session = onnxruntime.InferenceSession(model.to_onnx().SerializeToString())
    inputs = {"age": table[["age"]].to_numpy(dtype=np.float64)}
    for name in NAMES[1:]:
        texts = ["" if pd.isna(value) else category_text(value) for value in table[name]]
        inputs[name] = np.array(texts, dtype=object)[:, None]
    (found,) = session.run(["probabilities"], inputs)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("read", READERS)
def test_a_model_made_in_python_on_the_command_line(learned, read, tmp_path):
    file, from_file, _ = learned
    target = pd.read_csv(file)["late"]
    options = {"missing": from_file.scheme_.missing}
    table = read_pandas(file).astype({"zone": "category"})
    model = DiscretizedClassifier(MRmDDiscretizer(**options)).fit(table, target)
    (tmp_path / "other.json").write_text(model.to_json())
    assert main(["apply", str(tmp_path / "other.json"), file, "-o", str(tmp_path / "other.csv"), "--only"]) == 0
    assert written(tmp_path / "other.csv").tolist() == model.predict_proba(read(file)).tolist()


def test_what_is_learned_from_every_reader(learned):
    """Categories and counts are the same, whatever type a reader gives to a column."""
    file = learned[0]
    target = pd.read_csv(file)["late"]
    names = ["town", "member", "postcode", "mark"]
    schemes = [
        *(MRmDDiscretizer().fit(read(file), target).scheme_ for read in [*READERS, read_polars_as_text]),
        MRmDDiscretizer().fit_table(read_polars(file).with_columns(late=pl.Series(target)), "late").scheme_,
        MRmDDiscretizer().fit_table(read_arrow(file).append_column("late", pa.array(target)), "late").scheme_,
    ]
    found = {
        tuple((scheme[n].labels, scheme[n].class_counts, scheme[n].missing_by_class) for n in names)
        for scheme in schemes
    }
    assert len(found) == 1
    from_file = MRmDDiscretizer().fit_table(file, "late").scheme_
    assert all(from_file[name].class_counts == schemes[0][name].class_counts for name in ("town", "member", "mark"))


def test_lost_zeros_are_told(learned):
    file, model, _ = learned
    with pytest.warns(UnseenWarning, match=r"Column 'postcode': .* such as 118, where '00118' was known.*dtype"):
        model.predict(pd.read_csv(file)[NAMES])


CARS = pd.DataFrame({"colour": ["red", "blue"] * 10, "doors": pd.Categorical([3, 5] * 10), "km": [1.5, 20.0] * 10})
SOLD = [0, 1] * 10


def fitted(**options):
    return MRmDDiscretizer(**options).fit(CARS, SOLD)


@pytest.mark.parametrize(
    ("doors", "codes"),
    [
        ([3, 5, 3.0, "5", " 3 ", "3.0", np.int8(5), np.float32(3)], [0, 1, 0, 1, 0, 0, 1, 0]),
        (["03", "5 3", 3.5, True], [-1, -1, -1, -1]),
        (["", " ", "?", None, np.nan], [-1] * 5),
    ],
)
def test_numbers_and_texts_of_one_spelling(doors, codes):
    table = np.empty((len(doors), 3), dtype=object)
    table[:, 0], table[:, 1], table[:, 2] = "red", doors, 1.0
    fitted_without_names = MRmDDiscretizer().fit(CARS.to_numpy(), SOLD)
    assert fitted_without_names.scheme_.attributes[1].kind == "numeric"
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        assert fitted().transform(table)[:, 1].tolist() == codes


@pytest.mark.parametrize(
    "values", [[True, False], ["True", "False"], ["TRUE", " false"], np.array([True, False]), [1, 0]]
)
@pytest.mark.parametrize("known", [[True, False], ["True", "False"], ["true", "false"]])
def test_booleans(known, values):
    scheme = MRmDDiscretizer().fit(pd.DataFrame({"b": known * 5}), SOLD[:10]).scheme_
    assert scheme["b"].labels == ("False", "True")
    found = scheme.transform_table(pd.DataFrame({"b": values}))["b"]
    assert found.tolist() == [1, 0]


def test_mostly_unseen_values_are_told_once():
    new = CARS.assign(colour=["Red", "BLUE", "red", "blue", "RED"] * 4)
    with pytest.warns(
        UnseenWarning, match=r"Column 'colour': 12 of 20 values .* 'Red', where 'blue' was known"
    ) as told:
        fitted().transform(new)
    assert len(told) == 1
    with pytest.warns(UnseenWarning, match="Column 'colour'"):
        fitted().scheme_.evaluate(new, SOLD)


def test_a_few_unseen_values_are_nobodys_business():
    fitted().transform(CARS.assign(colour=["red", "green"] * 10))
    fitted().transform(CARS.assign(colour="green")[:4])


def test_the_command_line_tells_it_too(tmp_path, capsysbinary):
    CARS.assign(sold=SOLD).to_csv(tmp_path / "cars.csv", index=False)
    CARS.assign(colour="Red").to_csv(tmp_path / "new.csv", index=False)
    files = [str(tmp_path / name) for name in ("cars.csv", "s.json", "new.csv")]
    assert main(["fit", files[0], "-t", "sold", "-o", files[1]]) == 0
    assert main(["apply", files[1], files[2], "-o", str(tmp_path / "out.csv")]) == 0
    assert b"Note: Column 'colour': 20 of 20 values" in capsysbinary.readouterr().err


def test_numbers_that_are_written_as_text():
    new = CARS.assign(km=[" 1.5", "20"] * 10)
    assert fitted().transform(new).tolist() == fitted().transform(CARS).tolist()
    with pytest.raises(TableError, match=r"Column 'km': expected a number, found '20 km' in row 1"):
        fitted().transform(new.assign(km=["1.5", "20 km"] * 10))


def test_blanks_do_not_make_categories():
    scheme = MRmDDiscretizer().fit(pd.DataFrame({"c": ["a", " a", "a\t", "b", " ", ""]}), [0, 0, 0, 1, 1, 1]).scheme_
    assert scheme["c"].categories == ("a", "b")
    assert scheme["c"].class_counts == ((3, 0), (0, 1))
    assert scheme["c"].missing_by_class == (0, 2)


def test_a_scheme_with_one_category_twice_is_refused():
    text = json.loads(fitted().scheme_.to_json())
    text["attributes"][0]["categories"] = ["red", " red"]
    with pytest.raises(ValueError, match="'red' appears twice"):
        Scheme.from_json(json.dumps(text))
