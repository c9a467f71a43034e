"""``cutwise export`` writes what the methods of schemes and models give."""

from __future__ import annotations

from cutwise import Scheme
from cutwise.persist import model_from_json


def fitted(run):
    done = run("fit", "loans.csv", "--target", "paid", "-o", "scheme.json", "--model", "model.json")
    assert done[0] == 0, done


def test_formats(run, folder):
    fitted(run)
    scheme = Scheme.from_json((folder / "scheme.json").read_bytes())
    model = model_from_json((folder / "model.json").read_bytes())
    name = scheme.names[0]
    sql = ["--to", "sql", "--dialect", "mysql", "--table", "people", "--keep", "id"]
    code, output, errors = run("export", "scheme.json", *sql)
    assert (code, output, errors) == (0, scheme.to_sql("mysql", "people", ["id"]) + "\n", "")
    assert run("export", "model.json", *sql, "-o", "model.sql") == (0, "", "")
    assert (folder / "model.sql").read_text() == model.to_sql("mysql", "people", ["id"]) + "\n"
    assert run("export", "scheme.json", "--to", "onnx", "-o", "codes.onnx") == (0, "", "")
    assert (folder / "codes.onnx").read_bytes() == scheme.to_onnx().SerializeToString()
    code, output, errors = run("export", "model.json", "--to", "dbt", "-o", "project", "--name", "loans")
    assert (code, errors) == (0, "")
    assert [line.split("/")[-1] for line in output.split()] == ["loans_bins.csv", "loans_bins.yml", "loans_codes.sql"]
    assert name in (folder / "project" / "seeds" / "loans_bins.csv").read_text()


def test_wrong_use(run, refuses, folder):
    fitted(run)
    assert refuses("export", "scheme.json", "--to", "cobol") == (
        "There is no format 'cobol'. Choose one of dbt, sql, pmml, onnx."
    )
    assert "Name the folder of the project" in refuses("export", "scheme.json", "--to", "dbt")
    assert "dialect 'db2' is unknown" in refuses("export", "scheme.json", "--to", "sql", "--dialect", "db2")
    assert "There is no file" in refuses("export", "no.json", "--to", "sql")
    before = (folder / "scheme.json").read_bytes()
    refuses("export", "scheme.json", "--to", "sql", "-o", "scheme.json")
    assert (folder / "scheme.json").read_bytes() == before
