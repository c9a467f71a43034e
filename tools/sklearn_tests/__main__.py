"""Run scikit-learn's own tests of KBinsDiscretizer and CategoricalNB with ours in their place: `make test-sklearn`.

Every test passes or stands in differences.toml with the reason. A test that fails and is not listed, or passes and is
listed, or is listed and gone, makes the run red. The page in docs is made from the outcome: with ``--write`` it is
written, otherwise it must be as it would be.
"""

from __future__ import annotations

import inspect
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sklearn
import sklearn.naive_bayes
import sklearn.preprocessing
import stand_ins

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "scikit-learn-tests.md"
WRITE = "make test-sklearn WRITE=--write"
SKLEARN = Path(sklearn.__file__).parent
MODULES = {
    "KBinsDiscretizer": SKLEARN / "preprocessing" / "tests" / "test_discretization.py",
    "CategoricalNB": SKLEARN / "tests" / "test_naive_bayes.py",
}
OURS = {
    "KBinsDiscretizer": "`EqualWidthDiscretizer`, `EqualFrequencyDiscretizer`",
    "CategoricalNB": "`NaiveBayesClassifier`",
}
HEAD = """# scikit-learn's own tests

<!-- Made by tools/sklearn_tests (make test-sklearn WRITE=--write). -->

scikit-learn installs its tests. `make test-sklearn` runs those of `KBinsDiscretizer` and `CategoricalNB` with our
classes in their place; a thin class between translates the names of parameters and the words of messages. These are the
tests of scikit-learn {version}:

"""


@dataclass
class Outcomes:
    """A plugin of pytest that keeps the tests of a class and remembers how they end."""

    name: str
    passed: dict[str, bool] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep the tests that look at the class."""
        items[:] = [item for item in items if self._looks_at(item)]

    def _looks_at(self, item: Any) -> bool:
        given = getattr(getattr(item, "callspec", None), "params", {}).values()
        classes = [
            value.__name__
            for value in given
            if isinstance(value, type) and issubclass(value, sklearn.base.BaseEstimator)
        ]
        if classes:
            return self.name in classes
        return self.name == "KBinsDiscretizer" or self.name in inspect.getsource(item.function)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember how a test ended."""
        test = report.nodeid.split("::", 1)[1]
        self.passed[test] = self.passed.get(test, True) and report.passed
        if not report.passed:
            self.why[test] = str(report.longrepr).strip().splitlines()[-1]


def run(name: str) -> Outcomes:
    """Run the tests of a class."""
    outcomes = Outcomes(name)
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "pytest.ini"
        settings.write_text("[pytest]\n", encoding="utf-8")
        options = ["-q", "--no-header", "--tb=line", "--no-summary", "-c", str(settings), f"--rootdir={SKLEARN}"]
        options += [f"--confcutdir={SKLEARN}", "-p", "no:cacheprovider", "-p", "no:randomly"]
        pytest.main([*options, str(MODULES[name])], plugins=[outcomes])
    return outcomes


def faults(outcomes: Outcomes, listed: dict[str, str]) -> list[str]:
    """Return a line for each test that does not end as the list says."""
    found = [
        f"fails, and is not listed: {test}: {outcomes.why[test]}"
        for test, passed in outcomes.passed.items()
        if not passed and test not in listed
    ]
    found += [f"passes, and is listed: {test}" for test, passed in outcomes.passed.items() if passed and test in listed]
    found += [f"is listed, and there is no such test: {test}" for test in listed if test not in outcomes.passed]
    return [f"{outcomes.name} {line}" for line in found]


def page(runs: list[Outcomes], reasons: dict[str, list[dict[str, Any]]]) -> str:
    """Return the page about the outcomes."""
    lines = [
        HEAD.format(version=".".join(sklearn.__version__.split(".")[:2])),
        "| tests of | ours | tests | pass | differ |\n|---|---|---|---|---|\n",
    ]
    for one in runs:
        n_passed = sum(one.passed.values())
        n_tests = len(one.passed)
        lines.append(f"| `{one.name}` | {OURS[one.name]} | {n_tests} | {n_passed} | {n_tests - n_passed} |\n")
    for name, groups in reasons.items():
        lines.append(f"\n## Where `{name}` differs\n\n| tests | why |\n|---|---|\n")
        for group in sorted(groups, key=lambda group: -len(group["tests"])):
            functions = dict.fromkeys(test.split("[")[0] for test in group["tests"])
            lines.append(
                f"| {len(group['tests'])}: {', '.join(f'`{one}`' for one in functions)} | {group['reason']} |\n"
            )
    return "".join(lines)


def main(arguments: list[str]) -> int:
    """Run all tests and compare them with the list."""
    differences = tomllib.loads((HERE / "differences.toml").read_text(encoding="utf-8"))
    version = differences.pop("version")
    if not sklearn.__version__.startswith(f"{version}."):
        print(f"The list is of the tests of scikit-learn {version}; here is {sklearn.__version__}.")
        return 1
    sklearn.preprocessing.KBinsDiscretizer = stand_ins.KBinsDiscretizer
    sklearn.naive_bayes.CategoricalNB = stand_ins.CategoricalNB
    runs = [run(name) for name in MODULES]
    found = []
    for one in runs:
        listed = {test: group["reason"] for group in differences[one.name] for test in group["tests"]}
        found += faults(one, listed)
        print(f"{one.name}: {sum(one.passed.values())} of {len(one.passed)} pass, {len(listed)} are listed")
    text = page(runs, differences)
    if "--write" in arguments and not found:
        PAGE.write_text(text, encoding="utf-8")
    elif not found and (not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text):
        found.append(f"{PAGE.name} is not what this run gives; write it with {WRITE}")
    print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
