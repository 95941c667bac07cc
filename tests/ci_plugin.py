"""A pytest plugin that turns skipped tests into failures in continuous integration.

A test that compares with a peer is skipped on a machine without that peer. In CI every peer is
installed, so a skip there is a hole in the gate. Loaded with `-p tests.ci_plugin`; it does nothing
unless the environment has CI=true. Two kinds of reason are let through, told by how they begin:
"platform: " where a test belongs to another operating system or Python, and "not redistributable: "
where a peer is neither ours to ship nor in a package registry.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

ALLOWED_REASONS = ("platform: ", "not redistributable: ")


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if os.environ.get("CI") != "true" or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    if not reason.startswith(ALLOWED_REASONS):
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: skipped in CI, where nothing may be missing: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Look at the report of a test."""
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Look at the report of a file: `pytest.importorskip` at its top skips all of it."""
    report = yield
    _fail_if_skipped(report)
    return report
