"""Every accepted shape of hypotheses and references, and what is said of the others."""

from __future__ import annotations

import numpy as np
import pytest

from cocarde import BLEU, InputError, References
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
        (["a"], [["b", 7]], "references: segment 1 is of type int, not str"),
        (["a"], [["b", None, 7]], r"references\[0\]\[2\] is int 7"),
        ([[1, 2]], ["1 2"], r"references\[0\] is str '1 2', but the hypotheses are tokens"),
        (["1 2"], [[1, 2]], "references: segment 0 is of type int, not str"),
        ([[1, 2]], [[[1, 2], 3]], r"references\[0\] mixes references with single tokens: entry 1"),
        ([[1, 2.5]], [[1, 2]], "token 1 of segment 0 is neither a str nor an int"),
        ([[1, 2**70]], [[1, 2]], "token 1 of segment 0 is neither a str nor an int of 64 bits"),
        ([np.zeros((2, 2))], [[1]], "must be one dimension of integers"),
        (np.zeros((2, 2)), [[1], [2]], "an array must be one of texts or a matrix of integer ids"),
        ((np.array([1, 2]), np.array([0, 3])), [[1]], "start at 0 and end at the number of values"),
        ((np.array([1, 2]), np.array([0, 2, 1, 2])), [[1]] * 3, "offset 2 is 1 after 2"),
        ((np.array([1.5]), np.array([0, 1])), [[1]], "values of a ragged"),
        ([], [], "hypotheses has no segments"),
        ({"a", "b"}, ["a", "b"], "a set has no one order of segments"),
        (["a", "b"], {"x": "a", "y": "b"}, "a dict has no one order of segments"),
        (np.ma.masked_array([[1, 2]], mask=[[False, True]]), [[1]], "a masked array has holes"),
    ],
)
def test_wrong_shapes_are_named(hypotheses: object, references: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        BLEU().corpus_score(hypotheses, references)


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
    # Words that are not in the vocabulary equal themselves and nothing else.
    unseen = bleu.corpus_score([["dog", "the", "owl"]], [["owl", "the", "emu"]])
    assert unseen.matches[0] == 2


def test_equal_words_are_equal_ids() -> None:
    bleu = BLEU(vocabulary=["a", "b", "a"])
    assert bleu.corpus_score([[0, 1]], [[2, 1]]).matches[:2] == (2, 1)


def test_ignored_tokens_must_be_ids() -> None:
    with pytest.raises(InputError, match="ignore_ids works on ids"):
        BLEU(ignore_ids=[0]).corpus_score([["a"]], [["a"]])
