"""Import and score, with nothing but the installed wheel: what every built wheel must do.

Run as a program, by the wheel builds and by test_wheel.py.
"""

from __future__ import annotations

import cocarde
from cocarde import _native, resources


def main() -> None:
    """Fail loudly if the native module or the score is wrong."""
    assert _native.tokenize("none", "ein\u3000Wort é") == ["ein", "Wort", "é"]

    assert all(
        resource.compute_sha256() == resource.sha256
        for resource in resources.describe()
        if resource.present
    )
    assert "motorcar" in resources.wordnet().nltk_related("autos")

    # By hand: all but the last word match, so each order loses one n-gram.
    hypothesis = "the cat sat on the mat all night"
    reference = "the cat sat on the mat all day"
    expected = 100 * (7 / 8 * 6 / 7 * 5 / 6 * 4 / 5) ** 0.25
    score = cocarde.BLEU().corpus_score([hypothesis], [reference]).score
    assert abs(score - expected) < 1e-9, (score, expected)
    print(f"cocarde {cocarde.__version__}: BLEU {score:.2f}")


if __name__ == "__main__":
    main()
