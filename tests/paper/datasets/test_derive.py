"""The rules that lead from the table of a service to the one of the paper."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest
from sklearn.datasets import load_wine

from cutwise.errors import DatasetError
from cutwise.paper import datasets
from cutwise.paper.datasets.catalogue import CLASS, DerivationRules
from cutwise.paper.datasets.fetching import BY_COUNTS, BY_PLACE, derive, judge
from cutwise.paper.datasets.files import DatasetRows, RawTable, cell_text, read_csv, read_table, sha256_of_text
from tests.paper.datasets.tiny import COLUMNS, ROWS, TABLE, TINY


def texts(rows):
    return [[None if cell is None else cell_text(cell) for cell in row] for row in rows]


def raw(columns=(*COLUMNS, CLASS), rows=ROWS, **options):
    return RawTable(tuple(columns), texts(rows), **options)


def with_rules(**rules):
    return replace(TINY, rules=DerivationRules(**rules))


def outcome(download, about=TINY):
    table, remarks = derive(download, about)
    return judge(table, about, remarks)


def test_the_same_table_is_exact():
    assert outcome(raw()) == ("exact", "")


def test_another_order_of_rows_is_told():
    match, difference = outcome(raw(rows=ROWS[::-1]))
    assert match == "same rows"
    assert "another order" in difference


def test_other_rows_are_told():
    assert outcome(raw(rows=ROWS[:3])) == ("other rows", "3 rows, not 4; 2 rows of class 'yes', not 3")
    changed = [[9.0, *ROWS[0][1:]], *ROWS[1:]]
    assert outcome(raw(rows=changed)) == ("other rows", "the counts agree but some values differ")


def test_columns_are_found_by_name_in_any_order_and_spelling():
    shuffled = [[row[3], row[2], "7", row[0], row[1]] for row in ROWS]
    assert outcome(raw(("Class", "price", "other", "SIZE", "Col-our"), shuffled)) == ("exact", "")


def test_columns_are_found_by_rename():
    about = with_rules(rename={"size": ("how large",)})
    shuffled = [[row[2], row[1], row[0], row[3], "7"] for row in ROWS]
    assert outcome(raw(("price", "colour", "How_large", CLASS, "x"), shuffled), about) == ("exact", "")


def test_columns_without_their_names_are_found_by_place():
    table, remarks = derive(raw(("V1", "V2", "V3", "Class")), TINY)
    assert (table.rows, remarks) == (ROWS, [BY_PLACE])
    assert outcome(raw(("V1", "V2", "V3", "Class"), ROWS[:3]))[1].endswith(BY_PLACE)


def test_identifiers_are_left_out():
    rows = [[str(number), *row] for number, row in enumerate(ROWS)]
    columns = ("key", "V1", "V2", "V3", CLASS)
    assert outcome(raw(columns, rows, unused=("key",))) == ("exact", "")
    assert outcome(raw(columns, rows), with_rules(unused=("KEY",))) == ("exact", "")
    with pytest.raises(DatasetError, match="The columns 'size', 'colour', 'Price' cannot be found in the download"):
        derive(raw(columns, rows), TINY)


def test_places_do_not_override_names():
    with pytest.raises(DatasetError, match="The columns 'colour' cannot be found"):
        derive(raw(("Price", "V2", "size", CLASS)), TINY)


@pytest.mark.parametrize("options", [{"target": "outcome"}, {}])
def test_the_class_is_the_services_target_or_that_of_the_rules(options):
    about = TINY if options else with_rules(target=("Outcome",))
    assert outcome(raw((*COLUMNS, "outcome"), **options), about) == ("exact", "")


def test_a_download_without_a_class_is_refused():
    with pytest.raises(DatasetError, match="No column of the download is the class; it has size, colour, Price, z"):
        derive(raw((*COLUMNS, "z")), TINY)


def relabelled(**names):
    return raw(rows=[[*row[:-1], names[row[-1]]] for row in ROWS])


def test_labels_are_found_in_another_spelling_by_rule_or_by_count():
    assert outcome(relabelled(yes="YES", no="No")) == ("exact", "")
    assert outcome(relabelled(yes="1", no="2"), with_rules(labels={"1": "yes", "2": "no"})) == ("exact", "")
    table, remarks = derive(relabelled(yes="a", no="b"), TINY)
    assert (table.rows, remarks) == (ROWS, [BY_COUNTS])


def test_numbers_as_labels_are_found_however_written():
    about = replace(TINY, class_counts={"-1.0": 3, "1": 1})
    assert derive(relabelled(yes="-1", no="1.00"), about)[0].classes() == ["-1.0", "1", "-1.0", "-1.0"]


def test_labels_that_cannot_be_told_apart_are_refused():
    with pytest.raises(DatasetError, match="The classes of the download, 'a', 'b', are not those of the set, 'x', 'y'"):
        derive(relabelled(yes="a", no="b"), replace(TINY, class_counts={"x": 2, "y": 2}))
    with pytest.raises(DatasetError, match="are not those"):
        derive(raw(rows=[[*row[:-1], f"c{j}"] for j, row in enumerate(ROWS)]), TINY)


def test_a_missing_class_is_refused():
    with pytest.raises(DatasetError, match="Row 2 of the download has no class"):
        derive(raw(rows=[ROWS[0], [*ROWS[1][:-1], None]]), TINY)


def test_a_text_where_a_number_belongs_is_refused():
    with pytest.raises(DatasetError, match="Column 'Price' of the download: 'cheap' is no number"):
        derive(raw(rows=[[1.0, "red", "cheap", "yes"]]), TINY)


def test_texts_are_numbered_in_the_order_of_first_appearance():
    about = replace(with_rules(numbered=("size", CLASS)), class_counts={"0": 3, "1": 1})
    rows = [["b", "r", 1.0, "yes"], ["a", "r", 1.0, "no"], [None, "r", 1.0, "yes"], ["b", "r", 1.0, "yes"]]
    table, _ = derive(raw(rows=rows), about)
    assert table.column(0) == [0.0, 1.0, None, 0.0]
    assert table.classes() == ["0", "1", "0", "0"]
    assert derive(raw(), with_rules(numbered=("size",)))[0].rows == ROWS


def test_a_class_can_be_read_off_a_column():
    about = replace(with_rules(class_from=("colour", "red", "yes", "no")), class_counts={"yes": 2, "no": 2})
    assert derive(raw(), about)[0].classes() == ["yes", "no", "no", "yes"]
    with pytest.raises(DatasetError, match="The column 'shade', which decides the class, is not in the download"):
        derive(raw(), replace(about, rules=DerivationRules(class_from=("shade", "red", "yes", "no"))))


def test_rows_are_left_out_by_number_and_by_content_once_each():
    assert derive(raw(), with_rules(without_row_numbers=(1, 4)))[0].rows == ROWS[1:3]
    about = with_rules(without_rows=(sha256_of_text("2.0\x1f\x1f20.0\x1fno"),))
    assert derive(raw(rows=[*ROWS, ROWS[1]]), about)[0].rows == [ROWS[0], *ROWS[2:], ROWS[1]]
    assert derive(raw(rows=[*ROWS, ROWS[1], ROWS[1]]), about)[0].rows == [ROWS[0], *ROWS[2:], ROWS[1], ROWS[1]]
    assert derive(raw(), about)[0].rows == ROWS


@pytest.mark.parametrize(("rules", "text", "number"), [
    ({"decimals": 3}, "0.0645", 0.064),
    ({"decimals": 3}, "0.0095", 0.01),
    ({"decimals": 3}, "-12345.00051", -12345.001),
    ({"decimals": 3}, "1e300", 1e300),
    ({"significant": 3}, "1.235", 1.24),
    ({"significant": 3}, "-0.11450", -0.114),
    ({"significant": 3}, "123456", 123000.0),
])  # fmt: skip
def test_rounding_takes_halves_to_the_even_digit(rules, text, number):
    download = RawTable((*COLUMNS, CLASS), [[text, "red", text, "yes"]])
    assert derive(download, with_rules(**rules))[0].rows[0][0] == number


def test_csv_of_uci():
    table = read_csv(b'\xef\xbb\xbfa, b ,class\n1,"x,y",p\n?,,q\n NaN ,z,r\n')
    assert table == RawTable(("a", "b", "class"), [["1", "x,y", "p"], [None, None, "q"], [None, "z", "r"]])


@pytest.mark.parametrize(("text", "message"), [
    (b"", "is empty. It needs a first line"),
    (b"a,a\n", "has two columns 'a'"),
    (b"a,b\n1\n", "line 2, has 1 values for 2 columns"),
    (b'a,b\n1,"2\n', "line 2: a quote is opened and not closed"),
    (b"a,b\n1,\xff\n", "not UTF-8"),
])  # fmt: skip
def test_faults_of_a_csv_are_named(text, message):
    with pytest.raises(DatasetError, match=message):
        read_csv(text)


def test_wine_of_scikit_learn_has_the_papers_rows():
    """An independent copy of UCI's wine: the digest knows its rows without having them."""
    about = datasets.describe("wine")
    wine = load_wine()
    rows = [[*map(float, row), str(label + 1)] for row, label in zip(wine.data, wine.target, strict=True)]
    names = [f"V{j}" for j in range(13)]
    assert outcome(raw((*names, CLASS), rows), about)[0] == "same rows"


ALL = [datasets.describe(name) for name in datasets.names()]


@pytest.mark.parametrize(
    "name", [about.name for about in ALL if about.rules != DerivationRules() or about.n_rows <= 500]
)
def test_the_rules_leave_the_papers_own_table_alone(paper_data, name):
    """What a service would give if it had the paper's rows; rows to leave out are put in."""
    about = datasets.describe(name)
    if about.rules.class_from:
        pytest.skip("the class is read off a column that the paper's table does not have")
    table = read_table((paper_data / about.file).read_bytes(), about, about.file)
    rows = list(table.rows)
    for number in about.rules.without_row_numbers:
        rows.insert(number - 1, table.rows[0])
    assert outcome(raw((*about.columns, CLASS), rows), about) == ("exact", "")


def test_sonar_of_uci_becomes_the_papers(paper_data):
    with (paper_data / "variants" / "sonar.uci.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert outcome(RawTable(tuple(header), rows), datasets.describe("sonar")) == ("exact", "")


@pytest.mark.parametrize("name", ["australian", "ecoli", "heart"])
def test_keels_damaged_copies_are_not_taken_for_the_papers(paper_data, name):
    with (paper_data / "variants" / f"{name}.keel.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert outcome(RawTable(tuple(header), rows), datasets.describe(name))[0] == "other rows"


def test_a_table_is_what_it_was():
    assert DatasetRows(COLUMNS, ROWS) == TABLE
