"""Every accepted shape of hypotheses and references, and what is said of the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cocarde import BLEU, InputError, References, compare, evaluate
from cocarde.corpus import LineBatch
from cocarde.corpus.segments import Segments

H = ["the cat sat on the mat", "a dog barks at night"]
R = ["the cat sat on a mat", "the dog barks at night"]
EXPECTED = BLEU(tokenize="none").corpus_score(H, R).score


def tokens(texts: list[str]) -> list[list[str]]:
    return [text.split() for text in texts]


def ids(texts: list[str]) -> list[list[int]]:
    numbers: dict[str, int] = {}
    return [[numbers.setdefault(word, len(numbers)) for word in text.split()] for text in texts]


ID_ROWS = ids(H + R)
ID_H, ID_R = ID_ROWS[:2], ID_ROWS[2:]


def ragged(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    values = np.array([number for row in rows for number in row], dtype=np.int32)
    return values, np.cumsum([0, *map(len, rows)])


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (H, R),
        (tuple(H), tuple(R)),
        (np.array(H), np.array(R, dtype=object)),
        (iter(H), iter(R)),
        (H, [[text] for text in R]),
        (H, [(text,) for text in R]),
        (H, [R[0], [R[1]]]),
        (H, [[R[0], None], [None, R[1]]]),
        (H, References.from_streams(R)),
        (H, References.from_streams([R[0], None], [None, R[1]])),
        (tokens(H), tokens(R)),
        (tokens(H), [[row] for row in tokens(R)]),
        (tokens(H), [tokens(R)[0], [tokens(R)[1]]]),
        (tokens(H), [[tokens(R)[0], None], [tokens(R)[1]]]),
        (ID_H, ID_R),
        (ragged(ID_H), ragged(ID_R)),
        (ragged(ID_H), ID_R),
        (ID_H, ragged(ID_R)),
        ([np.array(row) for row in ID_H], [np.array(row) for row in ID_R]),
        ([np.array(row, dtype=np.uint8) for row in ID_H], [[np.array(row)] for row in ID_R]),
        (ragged(ID_H), [[np.array(row)] for row in ID_R]),
    ],
)
def test_every_shape_gives_the_same_score(hypotheses: object, references: object) -> None:
    assert BLEU(tokenize="none").corpus_score(hypotheses, references).score == EXPECTED


def test_matrix_of_ids_is_a_batch_of_rows() -> None:
    bleu = BLEU(ignore_ids=[0])
    matrix = np.array([[5, 6, 7, 8, 0, 0], [5, 6, 7, 8, 9, 0]])
    score = bleu.corpus_score(matrix, np.array([[5, 6, 7, 8, 9, 0], [5, 6, 7, 8, 9, 0]]))
    assert (score.hypothesis_length, score.reference_length) == (9, 10)


def test_token_lists_inside_references_are_several_references() -> None:
    score = BLEU().corpus_score([[1, 2, 3]], [[[1, 2, 9], [1, 2, 3, 4, 5]]])
    assert score.matches == (3, 2, 1, 0)
    assert "nrefs:2" in score.signature


def test_missing_references_are_none_and_empty_ones_are_texts() -> None:
    bleu = BLEU()
    missing = bleu.statistics(["a b"], [["a b c d", None]])
    with pytest.warns(UserWarning, match="1 of 1 segments is empty"):
        empty = bleu.statistics(["a b"], [["a b c d", ""]])
    assert missing["reference_length"].tolist() == [4]
    # Equally close to 2: the shorter one, which is the empty one.
    assert empty["reference_length"].tolist() == [0]


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ("a b", ["a b"], "hypotheses is one str"),
        (b"a b", ["a b"], "hypotheses is one bytes"),
        (["a b"], "a b", "references is one str"),
        (7, ["a"], "hypotheses must be a sequence of segments, found int 7"),
        (["a"], 7, "references must be a sequence, found int 7"),
        ([None], ["a"], r"hypotheses\[0\] is NoneType None"),
        ([b"a"], ["a"], r"hypotheses\[0\] is bytes"),
        (["a", None], ["a", "b"], "hypotheses: segment 1 is of type NoneType, not str"),
        (["a", ["b"]], ["a", "b"], "hypotheses: segment 1 is of type list, not str"),
        ([["a"], "b"], [["a"], ["b"]], r"hypotheses\[1\] is str 'b', but hypotheses\[0\]"),
        (["a", "b"], ["a"], "there are 2 hypotheses but 1 entries in references"),
        (["a", "b", "c"], [["a", "b", "c"]], "References.from_streams"),
        (["a", "b", "c"], [["a", "b", "c"], ["a", "b", "c"]], "look like sacreBLEU's streams"),
        (["a", "b"], ["a", None], "segment 1 has no reference at all"),
        (["a", "b"], [["a"], []], "segment 1 has no reference at all"),
        (["a", "b"], [["a"], [None]], "segment 1 has no reference at all"),
        (["a"], [7], r"references\[0\] is int 7"),
        (["a"], [["b", 7]], r"references\[0\]\[1\] is int 7, but the hypotheses are texts"),
        (["a"], [["b", None, 7]], r"references\[0\]\[2\] is int 7"),
        ([[1, 2]], ["1 2"], r"references\[0\] is str '1 2', but the hypotheses are tokens"),
        (["1 2"], [[1, 2]], r"references\[0\]\[0\] is int 1, but the hypotheses are texts"),
        ([[1, 2]], [[[1, 2], 3]], r"references\[0\] mixes references with single tokens: entry 1"),
        ([[1, 2.5]], [[1, 2]], "token 1 of segment 0 is neither a str nor an int"),
        ([[1, 2**70]], [[1, 2]], "token 1 of segment 0 is neither a str nor an int of 64 bits"),
        ([np.zeros((2, 2))], [[1]], "must be one dimension of integers"),
        (np.zeros((2, 2)), [[1], [2]], "an array must be one of texts or a matrix of integer ids"),
        ((np.array([1, 2]), np.array([0, 3])), [[1]], "start at 0 and end at the number of values"),
        ((np.array([1, 2]), np.array([0, 2, 1, 2])), [[1]] * 3, "offset 2 is 1 after 2"),
        ((np.array([1.5]), np.array([0, 1])), [[1]], "values of a ragged"),
        ([], [], "hypotheses has no segments"),
        ({"a", "b"}, ["a", "b"], "hypotheses is a set, which has no order"),
        (["a", "b"], {"x": "a", "y": "b"}, "references is a dict, which has no order"),
        (np.ma.masked_array([[1, 2]], mask=[[False, True]]), [[1]], "a masked array has holes"),
        ([object()], ["a"], r"hypotheses\[0\] is object <.*>; a segment is a str or a sequence"),
        (["a"], [np.array([["b", "c"]])], r"references\[0\]\[0\] is list"),
    ],
)
def test_wrong_shapes_are_named(hypotheses: object, references: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        BLEU().corpus_score(hypotheses, references)


NO_ORDER = [
    {"a"},
    frozenset("a"),
    {"a": "b"},
    {"a": "b"}.keys(),
    {"a": "b"}.values(),
    {"a": "b"}.items(),
]


@pytest.mark.parametrize("value", NO_ORDER, ids=lambda value: type(value).__name__)
def test_what_has_no_order_is_refused(value: Any) -> None:
    """At every depth, with its place: the score would depend on the seed of hashes."""
    bleu, name = BLEU(), type(value).__name__
    rows = bleu.statistics(["a", "b"], ["a", "b"])
    two = [["a"], ["b"]]
    calls: list[tuple[str, Callable[[], object]]] = [
        ("hypotheses", lambda: bleu.corpus_score(value, ["a"])),
        (r"hypotheses\[0\]", lambda: bleu.corpus_score([value], [["a"]])),
        (r"hypotheses\[1\]", lambda: bleu.corpus_score([["a"], value], two)),
        (r"hypotheses\[0\]", lambda: bleu.sentence_score(value, ["a"])),
        ("references", lambda: bleu.corpus_score(["a"], value)),
        (r"references\[1\]", lambda: bleu.corpus_score(["a", "b"], ["a", value])),
        (r"references\[1\]\[0\]", lambda: bleu.corpus_score(["a", "b"], ["a", [value]])),
        (r"references\[1\]", lambda: bleu.corpus_score(two, [["a"], value])),
        (r"references\[1\]\[0\]", lambda: bleu.corpus_score(two, [["a"], [value]])),
        (r"references\[0\]", lambda: bleu.sentence_score("a", value)),
        ("stream 1", lambda: References.from_streams(["a"], value)),
        ("references", lambda: bleu.pairwise(["a"], value)),
        (r"references\[0\]", lambda: bleu.pairwise([["a"]], [value])),
        ("references", lambda: bleu.prepare(value)),
        (r"references\[1\]", lambda: bleu.prepare([["a"], value])),
        (r"references\[0\]", lambda: bleu.prepare([value], kind="tokens")),
        ("labels", lambda: rows.group_sum(value)),
        ("documents", lambda: compare({"x": ["a"]}, ["a"], level="document", documents=value)),
    ]
    for place, call in calls:
        with pytest.raises(InputError, match=f"{place} is an? {name}|{place} is {name} "):
            call()


def test_labels_can_be_told_apart() -> None:
    rows = BLEU().statistics(["a", "b"], ["a", "b"])
    with pytest.raises(InputError, match=r"labels\[1\] is \['y'\], which cannot be a label"):
        rows.group_sum(["x", ["y"]])  # type: ignore[list-item]
    with pytest.raises(InputError, match=r"documents\[0\] is \{\}, which cannot be a label"):
        compare({"x": ["a"]}, ["a"], level="document", documents=[{}])  # type: ignore[list-item]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_of_a_data_frame_are_references(library: str) -> None:
    frame = pytest.importorskip(library, reason="an optional input type").DataFrame
    second = [None, "the cat sat on a mat"]
    texts = frame({"first": R, "second": second})
    wanted = BLEU().corpus_score(H, References.from_streams(R, second))
    assert BLEU().corpus_score(H, texts) == wanted
    prepared = BLEU().prepare(texts)
    assert BLEU().corpus_score(H, prepared) == evaluate(H, texts)["bleu"] == wanted
    assert BLEU().corpus_score(LineBatch("\n".join(H).encode()), texts) == wanted
    words = frame({"first": tokens(R), "second": tokens(R)})
    assert BLEU(tokenize="none").corpus_score(tokens(H), words).score == EXPECTED
    with pytest.raises(InputError, match=r"hypotheses is a DataFrame, .* one column"):
        BLEU().corpus_score(texts, R)


def test_arrays_beside_lists_are_references_too() -> None:
    bleu = BLEU(tokenize="none")
    for given in (
        [R[0], np.array([R[1]])],
        [R[0], np.array(R[1])],
        [[R[0]], np.array([R[1]], object)],
    ):
        assert bleu.corpus_score(H, given).score == EXPECTED
    for rows in ([ID_R[0], np.array(ID_R[1])], [[ID_R[0]], [np.array(ID_R[1])]]):
        assert bleu.corpus_score(ID_H, rows).score == EXPECTED


def test_references_prepared_of_ids_name_their_kind() -> None:
    bleu = BLEU()
    for ids in (ID_R, [[row] for row in ID_R], ragged(ID_R), [None, np.array(ID_R[0])]):
        with pytest.raises(InputError, match="say prepare\\(references, kind='tokens'\\)"):
            bleu.prepare(ids)
    assert len(bleu.prepare(ID_R, kind="tokens")) == 2


def test_prepared_references_are_of_a_corpus() -> None:
    bleu = BLEU()
    prepared = bleu.prepare(R)
    calls: dict[str, Callable[[], object]] = {
        "sentence_score": lambda: bleu.sentence_score(H[0], prepared),
        "pairwise": lambda: bleu.pairwise(H, prepared),
        "evaluate": lambda: evaluate(H, prepared),
        "prepare": lambda: bleu.prepare(prepared),
    }
    for name, call in calls.items():
        with pytest.raises(InputError, match=f"{name} takes no prepared references"):
            call()


def test_streams_must_be_of_one_length() -> None:
    with pytest.raises(InputError, match=r"differ in length: \[1, 2\]"):
        References.from_streams(["a"], ["a", "b"])
    with pytest.raises(InputError, match="stream 0 is a single str"):
        References.from_streams("ab")
    with pytest.raises(InputError, match="at least one stream"):
        References.from_streams()


def test_tensors_are_read_like_arrays() -> None:
    torch = pytest.importorskip("torch", reason="not needed: torch is an optional input type")
    batch = torch.tensor([[5, 6, 7, 8], [5, 6, 7, 9]])
    assert BLEU().corpus_score(batch, batch).score == pytest.approx(100)
    rows = [torch.tensor([5, 6, 7]), torch.tensor([1])]
    assert Segments.coerce(rows).kind == "ids"


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_tensors_that_cannot_be_read_are_named() -> None:
    torch = pytest.importorskip("torch", reason="not needed: torch is an optional input type")
    half = torch.tensor([[5.0, 6.0]], dtype=torch.bfloat16)
    empty = torch.zeros((1, 2), dtype=torch.int64, device="meta")
    nested = torch.nested.nested_tensor([torch.tensor([5, 6]), torch.tensor([5])])
    for tensor, what in ((half, "of torch.bfloat16"), (empty, "device meta"), (nested, "nested")):
        for hypotheses, references, place in (
            (tensor, [[1]], "hypotheses"),
            ([[1]], tensor, "references"),
            ([[1]], [tensor], r"references\[0\]"),
        ):
            with pytest.raises(InputError, match=f"{place} is a tensor .*{what}"):
                BLEU().corpus_score(hypotheses, references)


def test_vocabulary_makes_words_of_ids() -> None:
    vocabulary = ["<pad>", "<eos>", "the", "cat", "sat", "on", "mat"]
    bleu = BLEU(vocabulary=vocabulary, ignore_ids=lambda word: "<" in word)
    score = bleu.corpus_score([[2, 3, 4, 5, 2, 6, 1, 0, 0]], [["the", "cat", "sat", "there"]])
    assert (score.hypothesis_length, score.reference_length) == (6, 4)
    assert score.matches == (3, 2, 1, 0)
    with pytest.raises(
        InputError, match="token 1 of segment 0 is the id 7, outside the vocabulary of 7"
    ):
        bleu.corpus_score([[2, 7]], [[2, 3]])
    with pytest.raises(InputError, match="is the id -1, outside the vocabulary"):
        bleu.corpus_score([[2, -1]], [[2, 3]])
    # As a matrix of ids, and given as words, some of which are dropped.
    with pytest.raises(
        InputError, match="token 1 of segment 1 is the id 7, outside the vocabulary of 7"
    ):
        bleu.corpus_score(np.array([[2, 3], [2, 7]]), [[2, 3], [2, 3]])
    words = bleu.corpus_score([["the", "cat", "<eos>"]], [["<pad>", "the", "cat"]])
    assert (words.hypothesis_length, words.reference_length, words.matches[1]) == (2, 2, 1)
    # Words that are not in the vocabulary equal themselves and nothing else.
    unseen = bleu.corpus_score([["dog", "the", "owl"]], [["owl", "the", "emu"]])
    assert unseen.matches[0] == 2


def test_equal_words_are_equal_ids() -> None:
    bleu = BLEU(vocabulary=["a", "b", "a"])
    assert bleu.corpus_score([[0, 1]], [[2, 1]]).matches[:2] == (2, 1)


def test_ignored_tokens_must_be_ids() -> None:
    with pytest.raises(InputError, match="ignore_ids works on ids"):
        BLEU(ignore_ids=[0]).corpus_score([["a"]], [["a"]])
