"""Tab-separated tables and JSON Lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cocarde.corpus import read_jsonl, read_table
from cocarde.errors import InputError, OptionError


def written(folder: Path, text: str, name: str) -> Path:
    file = folder / name
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return file


def test_columns_by_number_and_name(tmp_path: Path) -> None:
    file = written(tmp_path, 'id\thyp\tref\n1\t"a\t b \r\n2\t\tc\u2028d\n', "t.tsv")
    assert read_table(file, 2) == ["hyp", '"a', ""]
    assert read_table(file, "3") == ["ref", " b ", "c\u2028d"]
    assert read_table(file, "ref") == [" b ", "c\u2028d"]
    assert read_table(file, 1, header=True) == ["1", "2"]
    packed = tmp_path / "t.tsv.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert read_table(packed, "hyp") == ['"a', ""]


def test_a_column_may_be_named_by_a_superscript(tmp_path: Path) -> None:
    assert read_table(written(tmp_path, "¹\t²\na\tb\n", "t.tsv"), "²") == ["b"]


def test_an_empty_row_has_one_empty_cell(tmp_path: Path) -> None:
    file = written(tmp_path, "a\n\nb\n", "t.tsv")
    assert read_table(file, 1) == ["a", "", "b"]
    assert read_table(written(tmp_path, "", "e.tsv"), 1) == []


def test_rows_and_names_that_do_not_fit(tmp_path: Path) -> None:
    file = written(tmp_path, "id\thyp\thyp\n1\ta\tb\n2\n", "t.tsv")
    with pytest.raises(InputError, match=r"t\.tsv:3: column 2 is missing: this row has 1"):
        read_table(file, 2)
    with pytest.raises(InputError, match=r"t\.tsv:1: no column is named 'ref'.*'id', 'hyp'"):
        read_table(file, "ref")
    with pytest.raises(InputError, match=r"t\.tsv:1: columns 2, 3 are all named 'hyp'"):
        read_table(file, "hyp")
    file = written(tmp_path, "id\thyp\n1\ta\n2\n", "t.tsv")
    with pytest.raises(InputError, match=r"t\.tsv:3: column 'hyp' is number 2, but this row has 1"):
        read_table(file, "hyp")
    with pytest.raises(InputError, match="is empty, so there is no column named 'hyp'"):
        read_table(written(tmp_path, "", "t.tsv"), "hyp")


@pytest.mark.parametrize("column", [0, -1, "0", "", True])
def test_columns_out_of_range(tmp_path: Path, column: int | str) -> None:
    with pytest.raises(OptionError, match="column"):
        read_table(written(tmp_path, "a\n", "t.tsv"), column)


def test_a_name_needs_a_header(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="header=False"):
        read_table(written(tmp_path, "a\n", "t.tsv"), "a", header=False)


def jsonl(folder: Path, *values: object) -> Path:
    return written(folder, "".join(json.dumps(value) + "\n" for value in values), "d.jsonl")


def test_fields_by_path(tmp_path: Path) -> None:
    record = {"a": {"b": ["x", {"c": "y"}], "b.c": "dotted"}, "a.d": "literal", "": "empty"}
    file = jsonl(tmp_path, record, record)
    assert read_jsonl(file, "a.b.0") == ["x", "x"]
    assert read_jsonl(file, "a.b.1.c") == ["y", "y"]
    assert read_jsonl(file, "a.b.c") == ["dotted", "dotted"]
    assert read_jsonl(file, "a.d") == ["literal", "literal"]
    assert read_jsonl(jsonl(tmp_path, ["x"], ["y"]), "0") == ["x", "y"]
    assert read_jsonl(jsonl(tmp_path), "a") == []


def test_text_comes_exactly(tmp_path: Path) -> None:
    texts = ["", " a\n\r\u2028\0 ", "\ud800 lone", "中文😀"]
    assert read_jsonl(jsonl(tmp_path, *({"t": text} for text in texts)), "t") == texts


def test_references_may_be_lists_and_null(tmp_path: Path) -> None:
    file = jsonl(tmp_path, {"r": "a"}, {"r": ["b", None, ""]}, {"r": None}, {"r": []})
    assert read_jsonl(file, "r", references=True) == [["a"], ["b", None, ""], [None], []]
    plain = jsonl(tmp_path, {"r": "a"}, {"r": "b"})
    assert read_jsonl(plain, "r", references=True) == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "field", "references", "message"),
    [
        ("", "t", False, "line is blank"),
        ("  ", "t", False, "line is blank"),
        ('{"t": "a"', "t", False, "malformed JSON at column 10: Expecting ',' delimiter"),
        ('{"t": "é" x}', "t", False, "malformed JSON at column 11:"),
        ("nonsense", "t", False, "malformed JSON at column 1: Expecting value"),
        ('{"t": "a"} {}', "t", False, "malformed JSON at column 12: Extra data"),
        ("[" * 100_000, "t", False, "nested too deeply|malformed JSON"),
        ('{"t": ' + "1" * 10_000 + "}", "t", False, "field 't' must be|JSON: "),
        ('{"u": 1, "v": 2}', "t", False, "the line has no 't'; it has 'u', 'v'"),
        ('{"t": {"v": 1}}', "t.u", False, "t has no 'u'; it has 'v'"),
        ("{}", "t", False, "it has no keys"),
        ('"a"', "t", False, "the line is the string 'a', not an object with 't'"),
        ('{"t": "a"}', "t.u", False, "t is the string 'a', not an object with 'u'"),
        ('{"t": ["a"]}', "t.u", False, "t is a list, so 'u' must be a position"),
        ('{"t": ["a"]}', "t.²", False, "t is a list, so '²' must be a position"),
        ('{"t": ["a"]}', "t.1", False, "t has 1 items, so there is no item 1"),
        ('{"t": 5}', "t", False, "must be a string, but is the number 5"),
        ('{"t": true}', "t", False, "must be a string, but is true"),
        ('{"t": null}', "t", False, "must be a string, but is null"),
        ('{"t": ["a"]}', "t", False, "must be a string, but is a list of 1"),
        ('{"t": {"k": 1}}', "t", True, "a list of strings, or null, but is an object with 'k'"),
        ('{"t": ["a", 1.5]}', "t", True, "but is a list whose item 1 is the number 1.5"),
        ('{"t": [["a"]]}', "t", True, "but is a list whose item 0 is a list of 1"),
    ],
)
def test_faults_give_file_and_line(
    tmp_path: Path, line: str, field: str, references: bool, message: str
) -> None:
    good = json.dumps({"t": "ok"} if field == "t" else {"t": {"u": "ok", "1": "ok", "²": "ok"}})
    file = written(tmp_path, f"{good}\n{line}\n{good}\n", "d.jsonl")
    with pytest.raises(InputError, match=message) as caught:
        read_jsonl(file, field, references=references)
    assert (caught.value.path, caught.value.line) == (str(file), 2)
    assert len(str(caught.value)) < 400 + len(str(file))


def test_the_field_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="field is empty"):
        read_jsonl(jsonl(tmp_path), "")


@pytest.mark.parametrize(
    "line",
    ['{"a": "x", "a": "y"}', '{"b": {"a": 1, "a": 1}, "a": "x"}', '{"a": "x", "\\u0061": "y"}'],
)
def test_a_key_that_is_twice_in_an_object_is_refused(tmp_path: Path, line: str) -> None:
    file = written(tmp_path, f'{{"a": "x", "b": {{"a": "z"}}}}\n{line}\n', "d.jsonl")
    with pytest.raises(InputError, match=r"d\.jsonl:2: the key 'a' is twice in one JSON object"):
        read_jsonl(file, "a")


def test_json_read_as_a_table_says_so(tmp_path: Path) -> None:
    file = jsonl(tmp_path, {"a": "x"})
    with pytest.raises(InputError, match=r"d\.jsonl:1: no column is named 'a', .*jsonl:FILE:a "):
        read_table(file, "a")
