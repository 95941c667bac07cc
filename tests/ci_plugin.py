"""A pytest plugin that records the tests that a run leaves out, and runs those alone.

A test that compares with a reference implementation is skipped on a machine without it, and one that
compares on real text takes the bundled texts where there is none. `--record-left-out FILE` writes
down which tests these were, with their reasons; `--run-left-out FILE` runs them, and nothing else,
where everything is at hand: a skip is a failure then. Two kinds of reason are let through, told by
how they begin: "platform: " where a test belongs to another operating system or Python, and "not
redistributable: " where what it needs is neither ours to ship nor in a package registry.

Loaded with `-p tests.ci_plugin`.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

ALLOWED_REASONS = ("platform: ", "not redistributable: ")
# A test's property that says what it had to do without, though it ran (tests/conftest.py).
WITHOUT = "without"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the two options."""
    group = parser.getgroup("tests left out")
    group.addoption("--record-left-out", metavar="FILE", help="write down what was left out")
    group.addoption("--run-left-out", metavar="FILE", help="run that alone; a skip is a failure")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why it was skipped; empty where it was not."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return ""
    found = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return found.removeprefix("Skipped: ")


class _Record:
    """Gathers what is left out; with several workers, in the process that hears of all of them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        reason = _reason(report) or dict(report.user_properties).get(WITHOUT)
        if reason:
            self.found[report.nodeid] = str(reason)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if reason := _reason(report):
            self.found[report.nodeid] = reason

    def pytest_sessionfinish(self) -> None:
        lines = (f"{name}\t{' '.join(why.split())}\n" for name, why in sorted(self.found.items()))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(lines), encoding="utf-8")


class _Again:
    """Keeps what was left out, tests or whole files, and lets none of it be skipped once more."""

    def __init__(self, path: Path, root: Path) -> None:
        lines = path.read_text(encoding="utf-8").splitlines()
        self.names = {line.partition("\t")[0] for line in lines}
        self.files = {root / name.partition("::")[0] for name in self.names}

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        wanted = collection_path.is_dir() or collection_path in self.files
        return None if wanted else True

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        def wanted(item: pytest.Item) -> bool:
            return item.nodeid in self.names or item.nodeid.partition("::")[0] in self.names

        config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
        items[:] = filter(wanted, items)

    @staticmethod
    def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
        reason = _reason(report)
        if reason and not reason.startswith(ALLOWED_REASONS):
            report.outcome = "failed"
            report.longrepr = f"{report.nodeid}: skipped where nothing may be missing: {reason}"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self,
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        self._fail_if_skipped(report)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """`pytest.importorskip` at the top of a file skips all of it."""
        report = yield
        self._fail_if_skipped(report)
        return report


def pytest_configure(config: pytest.Config) -> None:
    """Do what the options say."""
    record, again = config.getoption("record_left_out"), config.getoption("run_left_out")
    if record and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Record(Path(record)))
    if again:
        config.pluginmanager.register(_Again(Path(again), config.rootpath))
