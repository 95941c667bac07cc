"""Every example in the documentation runs and prints what it shows.

What is run, in a copy of the repository's examples:

* ```` ```python ```` blocks: as doctests, all blocks of a file in one session; a block without
  ``>>>`` is executed whole;
* ```` ```console ```` blocks: each line after ``$`` is a command, the lines below it its output;
* ```` ```sh ```` blocks: run with ``set -e``; what they print is not compared.

A comment on the line before a block changes that: ``<!-- not run: REASON -->`` leaves it out,
``<!-- needs: MODULE ... -->`` leaves it out, with every later block that uses a name which it
defines, and marks the test as skipped, where a module is missing, and ``<!-- language-specific -->``
marks a block that the other README need not repeat.
"""

from __future__ import annotations

import ast
import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import cocarde

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md")])
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
SHELL_TIMEOUT = 120

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,})(?P<info>[^\n`]*)$")
_COMMENT = re.compile(r"^\s*<!--\s*(?P<text>.*?)\s*-->\s*$")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str
    comment: str = ""

    @property
    def runs(self) -> bool:
        """Whether it is an example that is run."""
        return self.language in ("python", "console", "sh") and not self.comment.startswith(
            "not run:"
        )

    def missing(self) -> list[str]:
        """The modules that it needs and that are not installed."""
        found = re.search(r"needs:([\w ]+)", self.comment)
        modules = found[1].split() if found else []
        return [module for module in modules if importlib.util.find_spec(module) is None]


def blocks_of(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        opened = _FENCE.match(lines[number])
        number += 1
        if opened is None:
            continue
        start = number
        while number < len(lines) and lines[number].strip() != opened["fence"]:
            number += 1
        assert number < len(lines), f"{page}:{start}: the block is not closed"
        indent = len(opened["indent"])
        text = "".join(line[indent:] + "\n" for line in lines[start:number])
        before = _COMMENT.match(lines[start - 2]) if start > 1 else None
        info = opened["info"].strip()
        yield Block(page, start, info, text, before["text"] if before else "")
        number += 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what the examples read, as the working folder."""
    copy = tmp_path / "cocarde"
    copy.mkdir()
    if (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", copy / "examples")
    monkeypatch.chdir(copy)
    return copy


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Commands `cocarde` and `python` that are those of this run."""
    programs = tmp_path / "bin"
    programs.mkdir()
    run = "import sys; from cocarde.cli import main; sys.argv[0] = 'cocarde'; sys.exit(main())"
    for name, arguments in (("python", ""), ("cocarde", f' -c "{run}"')):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
        program.chmod(0o755)
    package = Path(cocarde.__file__).resolve().parent.parent
    return {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{package}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        "PYTHONUTF8": "1",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }


def run_python(block: Block, names: dict[str, Any]) -> None:
    """Run a block in the session of its page."""
    # Lines are counted from the top of the page, so that a failure says where to look.
    if ">>>" not in block.text:
        exec(compile("\n" * block.line + block.text, str(block.page), "exec"), names)
        return
    title = f"{block.page.relative_to(ROOT)}, line {block.line + 1}"
    test = doctest.DocTestParser().get_doctest(
        block.text, names, title, str(block.page), block.line
    )
    test.globs = names  # the session goes on in the next block
    report: list[str] = []
    results = doctest.DocTestRunner(optionflags=FLAGS).run(
        test, out=report.append, clear_globs=False
    )
    assert not results.failed, "".join(report)


class Names(ast.NodeVisitor):
    """The names that a block of Python binds at its top, and those that it takes from before."""

    def __init__(self, block: Block) -> None:
        self.bound: set[str] = set()
        self.taken: set[str] = set()
        source = block.text
        if ">>>" in source:
            examples = doctest.DocTestParser().get_examples(source)
            source = "".join(example.source for example in examples)
        self.visit(ast.parse(source))

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.bound.add(node.id)
        elif node.id not in self.bound:
            self.taken.add(node.id)

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> None:
        """The value comes before what it is given to."""
        if node.value is not None:
            self.visit(node.value)
        for part in ast.iter_child_nodes(node):
            if part is not node.value:
                self.visit(part)

    visit_AnnAssign = visit_NamedExpr = visit_Assign

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """It reads what it binds."""
        self.taken |= {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self.visit(node.target)
        for part in (*node.body, *node.orelse):
            self.visit(part)

    def visit_alias(self, node: ast.alias) -> None:
        self.bound.add((node.asname or node.name).partition(".")[0])

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        """What is bound inside stays there; what it takes from outside is needed when it runs."""
        outside = set(self.bound)
        self.bound |= {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        self.generic_visit(node)
        self.bound = outside | {node.name}

    visit_ClassDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.AST) -> None:
        """So does what a lambda or a comprehension binds."""
        outside = set(self.bound)
        self.bound |= {
            part.arg if isinstance(part, ast.arg) else part.id
            for part in ast.walk(node)
            if isinstance(part, ast.arg)
            or (isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
        }
        self.generic_visit(node)
        self.bound = outside

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda


def left_out_of(blocks: Iterable[Block]) -> dict[int, list[str]]:
    """The lines of the blocks that cannot run here, each with the modules that are missing for it."""
    found: dict[int, list[str]] = {}
    lost: dict[str, list[str]] = {}  # by a name that a block left out would have bound
    for block in blocks:
        if not block.runs:
            continue
        missing = set(block.missing())
        if block.language != "python":
            if missing:
                found[block.line] = sorted(missing)
            continue
        names = Names(block)
        for name in names.taken & lost.keys():
            missing.update(lost[name])
        if missing:
            found[block.line] = sorted(missing)
            lost.update(dict.fromkeys(names.bound, found[block.line]))
        else:
            for name in names.bound & lost.keys():
                del lost[name]
    return found


def run_shell(command: str, block: Block, environment: dict[str, str]) -> str:
    """Run a command and return what it prints."""
    done = subprocess.run(
        ["/bin/sh", "-e", "-c", command],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=SHELL_TIMEOUT,
        check=False,
    )
    where = f"{block.page.name}:{block.line}: {command}\n{done.stdout}{done.stderr}"
    assert done.returncode == 0, where
    return done.stdout


def run_console(block: Block, environment: dict[str, str]) -> None:
    """Run the commands after `$` and compare what they print with the lines below them."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"{block.page.name}:{block.line}: it starts with '$ '"
    for part in parts[1:]:
        # A line that ends in a backslash goes on.
        command, _, expected = re.sub(r"\\\n", "", part).partition("\n")
        found = run_shell(command, block, environment)
        if not doctest.OutputChecker().check_output(expected, found, FLAGS):
            where = f"{block.page.name}:{block.line}: {command}"
            raise AssertionError(f"{where}\n--- shown\n{expected}--- found\n{found}")


def test_there_are_pages() -> None:
    names = {page.relative_to(ROOT).as_posix() for page in PAGES}
    assert {"README.md", "README.zh-CN.md", "docs/index.md", "docs/conventions.md"} <= names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples(page: Path, folder: Path, environment: dict[str, str]) -> None:
    """Every block of the page runs and prints what it shows."""
    names: dict[str, Any] = {"__name__": "__main__"}
    left_out: set[str] = set()
    blocks = list(blocks_of(page))
    unable = left_out_of(blocks)
    for block in blocks:
        if not block.runs:
            continue
        if block.line in unable:
            left_out.update(unable[block.line])
        elif block.language == "python":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", cocarde.CocardeWarning)
                run_python(block, names)
        elif os.name == "posix":
            if block.language == "console":
                run_console(block, environment)
            else:
                run_shell(block.text, block, environment)
        else:
            left_out.add("a POSIX shell")
    if left_out == {"a POSIX shell"}:
        pytest.skip("platform: shell examples are for a POSIX shell; the rest of the page ran")
    if left_out:
        pytest.skip(f"examples that need {', '.join(sorted(left_out))}; the rest of the page ran")


# Blocks in a language that this test does not run: diagrams, formulas, data and other programs'
# command lines. A misspelt ```pyhton must not pass for one of them.
SHOWN_ONLY = {"", "text", "bibtex", "json", "tex", "math", "tsv", "toml", "xml", "mermaid"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_example_escapes(page: Path) -> None:
    """Every block is run, or says why not, or is no example."""
    for block in blocks_of(page):
        where = f"{page.name}:{block.line}"
        known = {"python", "console", "sh", *SHOWN_ONLY}
        assert block.language in known or block.language.startswith("{"), (
            f"{where}: unknown language {block.language!r}"
        )
        if block.comment.startswith("not run"):
            assert re.fullmatch(r"not run: .{8,}", block.comment), f"{where}: say why"


def prose(page: Path) -> str:
    """A page without its blocks."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for block in blocks_of(page):
        for number in range(block.line, block.line + block.text.count("\n")):
            lines[number] = ""
    return "\n".join(lines)


def headings(page: Path) -> list[int]:
    """The levels of the headings of a page."""
    return [len(found[1]) for found in re.finditer(r"^(#+) ", prose(page), flags=re.MULTILINE)]


def test_both_readmes_say_the_same() -> None:
    """The same sections; the same code but where it shows a language."""
    english, chinese = ROOT / "README.md", ROOT / "README.zh-CN.md"
    assert headings(english) == headings(chinese)
    assert len(headings(english)) > 5

    def shared(page: Path) -> list[tuple[str, str]]:
        return [
            (block.language, block.text)
            for block in blocks_of(page)
            if "language-specific" not in block.comment
        ]

    assert shared(english) == shared(chinese)
    assert len(shared(english)) > 5


_LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    """Relative links name files of the repository."""
    for found in _LINK.finditer(prose(page)):
        target = found["target"].partition("#")[0]
        if target and "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def rows_below(heading: str) -> str:
    """The tables of a section of the conventions."""
    _, found, rest = prose(ROOT / "docs" / "conventions.md").partition(f"\n## {heading}\n")
    assert found, f"docs/conventions.md has no section {heading!r}"
    section = rest.partition("\n## ")[0]
    return "\n".join(line for line in section.splitlines() if line.startswith("|"))


def preset_tables(readme: str, heading: str) -> list[set[str]]:
    """The presets in each table of a README's section on them."""
    _, found, rest = (ROOT / readme).read_text(encoding="utf-8").partition(f"\n## {heading}\n")
    assert found, f"{readme} has no section {heading!r}"
    parts = rest.partition("\n## ")[0].strip().split("\n\n")
    tables = [part for part in parts if part.startswith("|")]
    first = ([row.split("|")[1] for row in table.splitlines()[2:]] for table in tables)
    return [{name for cell in cells for name in re.findall(r"`([^`]*)`", cell)} for cells in first]


@pytest.mark.parametrize(
    ("readme", "heading"), [("README.md", "Presets"), ("README.zh-CN.md", "预设")]
)
def test_the_readmes_have_a_table_of_presets_for_each_metric(readme: str, heading: str) -> None:
    from cocarde import metrics

    tables = preset_tables(readme, heading)
    for found, table in zip(metrics.classes().values(), tables, strict=True):
        assert table == set(found.presets()), f"{readme}: the presets of {found.name}"


def test_every_preset_and_tokenizer_is_documented() -> None:
    from cocarde import metrics, tokenizers

    conventions = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    for found in metrics.classes().values():
        rows = rows_below(f"All presets of {found.name}")
        for preset in found.presets():
            assert f"\n| `{preset}`" in rows, f"{found.name}: docs/conventions.md lacks {preset}"
    for name in tokenizers.names():
        assert f"`{name}`" in conventions, f"the tokenizer {name} is not in docs/conventions.md"


def command_line_cells() -> Iterator[str]:
    """The cells of the column "command line" in the tables of the conventions."""
    wanted = False
    for line in prose(ROOT / "docs" / "conventions.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            wanted = False
        elif "command line" in cells[-1]:
            wanted = True
        elif wanted:
            yield cells[-1]


@pytest.mark.skipif(os.name != "posix", reason="platform: a POSIX shell")
def test_options_in_the_conventions_exist(folder: Path, environment: dict[str, str]) -> None:
    block = Block(ROOT / "docs" / "conventions.md", 0, "sh", "")
    named = " ".join(
        f"-m {name}" for name in ("bleu", "gleu", "rouge", "rouge:rouge-1.5.5", "meteor", "chrf")
    )
    command = f"cocarde score {named} -m meteor:nltk -m ter --help"
    shown = run_shell(command, block, {**environment, "COLUMNS": "300"})
    options = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", " ".join(command_line_cells())))
    assert {"--preset", "--lowercase", "-r"} <= options
    for option in options:
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", shown), f"no option {option}"


def listed_keys(section: str) -> set[str]:
    """The keys in the tables of a section of the guide to signatures."""
    page = (ROOT / "docs" / "guides" / "signatures.md").read_text(encoding="utf-8")
    _, found, rest = page.partition(f"\n## {section}\n")
    assert found, f"docs/guides/signatures.md has no section {section!r}"
    first = re.findall(r"^\| (`[^|]*`) \|", rest.partition("\n## ")[0], re.MULTILINE)
    return {key for cell in first for key in re.findall(r"`([^`]*)`", cell)}


def test_every_key_of_a_signature_is_documented() -> None:
    from cocarde import metrics
    from cocarde.core.options import keys_of
    from cocarde.core.signature import DATA_KEYS, RUN_KEYS

    notes = listed_keys("Keys that tell about the data or the run")
    assert notes >= RUN_KEYS | DATA_KEYS
    for name, found in metrics.classes().items():
        section = "Keys that make the metric" if name == "bleu" else f"Keys of {found.name}"
        own = {key for preset in found.presets() for key in keys_of(found.class_of(preset))}
        shown = listed_keys(section)
        assert own <= shown | notes, f"{section}: {own - shown - notes} is missing"
        assert shown <= own | notes, f"{section}: {shown - own - notes} is no key"


def test_tests_named_in_the_conventions_exist() -> None:
    conventions = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)`", conventions)
    assert named
    for name in named:
        assert (ROOT / name).is_file(), f"docs/conventions.md names {name}"


def test_unicode_versions_are_those_of_the_tables() -> None:
    header = (ROOT / "src" / "native" / "unicode_tables.hpp").read_text(encoding="utf-8")
    conventions = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    versions = re.findall(r"Unicode (\d+\.\d+\.\d+)", header[:400])
    assert len(versions) == 2
    for version in versions:
        assert f"Unicode {version}" in conventions


def test_every_public_name_is_in_the_map_of_the_api() -> None:
    page = (ROOT / "docs" / "guides" / "api.md").read_text(encoding="utf-8")
    for name in cocarde.__all__:
        if not name.startswith("__"):
            assert re.search(rf"\b{name}\b", page), f"{name} is not in docs/guides/api.md"


class TestTheseTests:
    """What runs the examples finds faults in them."""

    def page(self, folder: Path, text: str) -> Block:
        page = ROOT / "docs" / "index.md"  # a name for messages
        (folder / "page.md").write_text(text, encoding="utf-8")
        (block,) = blocks_of(folder / "page.md")
        return Block(page, block.line, block.language, block.text, block.comment)

    def test_wrong_output(self, folder: Path) -> None:
        block = self.page(folder, "```python\n>>> 1 + 1\n3\n```\n")
        with pytest.raises(AssertionError, match="Expected"):
            run_python(block, {})

    def test_right_output_in_one_session(self, folder: Path) -> None:
        names: dict[str, Any] = {}
        run_python(self.page(folder, "```python\n>>> a = 1\n```\n"), names)
        run_python(self.page(folder, "```python\nb = a + 1\n```\n"), names)
        run_python(self.page(folder, "```python\n>>> b\n2\n```\n"), names)

    @pytest.mark.skipif(os.name != "posix", reason="platform: a POSIX shell")
    def test_shell(self, folder: Path, environment: dict[str, str]) -> None:
        run_console(self.page(folder, "```console\n$ echo a \\\n  b\na b\n```\n"), environment)
        with pytest.raises(AssertionError, match="found"):
            run_console(self.page(folder, "```console\n$ echo a\nb\n```\n"), environment)
        with pytest.raises(AssertionError):
            run_shell("false\ntrue", self.page(folder, "```sh\nfalse\n```\n"), environment)

    def test_comments(self, folder: Path) -> None:
        block = self.page(folder, "<!-- needs: os no_such_module -->\n```python\n```\n")
        assert block.missing() == ["no_such_module"]
        assert not self.page(folder, "<!-- not run: for a reason -->\n```sh\nx\n```\n").runs
        assert self.page(folder, "text\n```sh\nx\n```\n").runs

    def test_a_block_left_out_takes_with_it_what_depends_on_it(self, folder: Path) -> None:
        (folder / "page.md").write_text(
            "<!-- needs: no_such_module -->\n```python\nimport no_such_module as n\nx = y = n.f()\n```\n"
            "```python\n>>> z = [x for x in (1, 2)]\n```\n"  # line 6: its own x
            "```python\n>>> def f(y):\n...     return y\n```\n"  # line 9: its own y
            "```python\n>>> x += 1\n```\n"  # line 13
            "```python\nz = x\n```\n"  # line 16: by way of the one before
            "```python\nprint(z)\n```\n"  # line 19: and so on
            "```python\nx = z = 1\nprint(x)\n```\n"  # line 22: bound anew
            "```python\n>>> print(z)\n```\n"  # line 26
            "```python\n>>> def g():\n...     return y\n```\n",  # line 29: y from outside
            encoding="utf-8",
        )
        blocks = list(blocks_of(folder / "page.md"))
        lines = (2, 13, 16, 19, 29)
        assert left_out_of(blocks) == {line: ["no_such_module"] for line in lines}
        assert left_out_of(blocks[1:]) == {}

    def test_unclosed_block(self, folder: Path) -> None:
        with pytest.raises(AssertionError, match="not closed"):
            self.page(folder, "```python\n1\n")
