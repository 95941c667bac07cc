"""Generated text: many scripts, ugly input. The same text for the same seed, on every Python."""

from __future__ import annotations

import random

from tests.data_access import Corpus

# Words of our own choosing, ordinary ones, in 14 scripts; scripts without spaces have short
# pieces that are joined without any.
_SPACED = {
    "Latin": [
        "The",
        "cat",
        "sat",
        "on",
        "a",
        "mat",
        "and",
        "Straße",
        "ÉTÉ",
        "naïve",
        "coöperate",
        "İzmir",
        "ŁÓDŹ",
        "fjörður",
        "việt",
    ],
    "Cyrillic": [
        "Мир",
        "и",
        "труд",
        "май",
        "Россия",
        "ещё",
        "Ёлка",
        "дом",
        "быстро",
        "Київ",
        "її",
        "здоров'я",
        "ЂОРЂЕ",
    ],
    "Greek": [
        "ΟΔΥΣΣΕΥΣ",
        "ο",
        "κόσμος",
        "είναι",
        "μικρός",
        "Σας",
        "ΣΑΣ",
        "καλημέρα",
        "άνθρωπος",
        "και",
        "το",
    ],
    "Arabic": [
        "السلام",
        "عليكم",
        "في",
        "البيت",
        "كتاب",
        "٣٫١٤",
        "جديد",
        "مرحبا",
        "العالم",
        "لا",
        "إله",
    ],
    "Hebrew": ["שלום", "עולם", "ספר", "בית", "ירושלים", "הוא", "לא", "ה־בית"],
    "Devanagari": ["नमस्ते", "दुनिया", "किताब", "घर", "में", "है", "का", "१२३", "भारत"],
    "Bengali": ["আমি", "বাংলায়", "গান", "গাই", "বই", "ঘর", "১২৩"],
    "Tamil": ["வணக்கம்", "உலகம்", "புத்தகம்", "வீடு", "நான்"],
    "Georgian": ["გამარჯობა", "მსოფლიო", "წიგნი", "სახლი", "თბილისი"],
    "Armenian": ["Բարեւ", "աշխարհ", "գիրք", "տուն", "Երեւան"],
    "Hangul": ["안녕하세요", "세계", "책은", "집에서", "서울", "날씨가", "좋다"],
    "Ethiopic": ["ሰላም", "ዓለም", "መጽሐፍ", "ቤት"],
}
_UNSPACED = {
    "Han": ["我们", "今天", "去", "北京", "吃", "饭", "𠮷野", "家", "2024", "GDP", "㐀"],
    "Kana": ["今日", "は", "いい", "天気", "です", "ラーメン", "ﾊﾝｶｸ", "ー"],
    "Thai": ["สวัสดี", "ชาวโลก", "หนังสือ", "บ้าน", "๑๒"],
}
_PUNCTUATION = {
    "Latin": [*".,!?;:()[]{}'\"-/&%$#@*+=<>|~^_`\\", "...", "—", "“", "”", "«", "»", "€", "£"],
    "Arabic": ["،", "؛", "؟", "."],
    "Devanagari": ["।", "॥", ","],
    "Bengali": ["।", "৳"],
    "Han": ["，", "。", "、", "！", "？", "《", "》", "％", "·"],
    "Kana": ["。", "、", "「", "」", "！", "〜"],
    "Armenian": ["։", "՞"],
    "Greek": [";", "·", "."],
    "Ethiopic": ["።", "፣"],
}
_NUMBERS = ["1,000.50", "3.14", "10-12", "1999.", "5,", "½", "10²", "U.S.", "$5.00", "v2.6.0", "-7"]
_UGLY_WORDS = [
    "&quot;",
    "&amp;",
    "&lt;b&gt;",
    "&apos;",
    "&amp;quot;",
    "&#39;",
    "<skipped>",
    "<skip<skipped>ped>",
    "a\x00b",
    "\x00",
    "\ud800",
    "x\udfffy",
    "\ufeff",
    "\u200b",
    "soft\u00adhyphen",
    "\u202eright\u202c",
    "e\u0301",
    "👩\u200d👩\u200d👧",
    "🇫🇷",
    "😀😀",
    "\U0010ffff",
    "﷽",
    "ǅ",
    "ﬁ",
    "ß",
    "İ",
    "ς",
    "10-",
    "-",
    "--",
    ".",
    "..",
    ",",
    "1.",
    ".1",
    "1,2,",
    "-\nx",
    "x-\n",
    "a\rb",
    "\r\n",
    "word" * 40,
]
# every white space that str.split, a regular expression or Perl may or may not cut at
_UGLY_SPACES = (
    [" "] * 12
    + list(
        "\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2009\u2028\u2029\u202f\u205f\u3000\u180e"
    )
    + ["  ", " \t ", ""]
)

# What tempts code to read past an end.
UGLY_TEXTS = [
    "",
    " ",
    "\u3000",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfff\ud800 x",
    "\U0010ffff",
    "\u2028\u2029",
    "&",
    "&amp",
    "&quot;",
    "<skipped>",
    "-\n",
    "'",
    "''",
    ".,",
    "1,0.",
    "é" * 7 + " " + "é" * 8,
    "x" * 100_000,
    "．１，２。",
    "\r\n\t\v\f",
]
# Words of one to nine bytes end at every place that the eight-byte loads of a token can end.
UGLY_TEXTS += ["x" * n for n in range(1, 10)]
UGLY_TEXTS += ["日" * n for n in range(1, 5)]


def _sentence(rng: random.Random, script: str, length: int) -> str:
    words = _SPACED.get(script) or _UNSPACED[script]
    joiner = " " if script in _SPACED else ""
    marks = _PUNCTUATION.get(script, _PUNCTUATION["Latin"])
    pieces: list[str] = []
    for _ in range(length):
        draw = rng.random()
        if draw < 0.10:
            piece = rng.choice(_NUMBERS)
        elif draw < 0.25:
            piece = (pieces.pop() if pieces else "") + rng.choice(marks)
        else:
            piece = rng.choice(words)
        pieces.append(piece)
    return joiner.join(pieces)


def _edited(rng: random.Random, text: str) -> str:
    """A text with some characters or words changed, so that many n-grams still match."""
    words = text.split(" ") if " " in text else list(text)
    joiner = " " if " " in text else ""
    result: list[str] = []
    for word in words:
        draw = rng.random()
        if draw < 0.10:
            continue
        if draw < 0.18:
            result.extend([word, word])
        elif draw < 0.24:
            result.append(word.swapcase())
        elif draw < 0.28 and result:
            result.insert(len(result) - 1, word)
        else:
            result.append(word)
    return joiner.join(result)


def corpus_in_many_scripts(seed: int, segments: int) -> Corpus:
    """Segments that take turns in 15 scripts, with 1 to 4 references, some of them missing."""
    rng = random.Random(seed)
    scripts = [*_SPACED, *_UNSPACED]
    hypotheses: list[str] = []
    references: list[list[str | None]] = []
    for number in range(segments):
        text = _sentence(rng, scripts[number % len(scripts)], rng.randrange(1, 22))
        group: list[str | None] = [_edited(rng, text) for _ in range(rng.randrange(1, 5))]
        # holes are in later streams: a first reference is always there
        group = [
            None if place > 0 and rng.random() < 0.25 else reference
            for place, reference in enumerate(group)
        ]
        hypotheses.append("" if rng.random() < 0.02 else _edited(rng, text))
        references.append(["" if text and rng.random() < 0.02 else text for text in group])
    return Corpus(hypotheses, references)


def _ugly_text(rng: random.Random, length: int) -> str:
    words = [*_UGLY_WORDS, *_NUMBERS, "the", "cat", "the", "Cat", "我", "мир"]
    parts: list[str] = []
    for _ in range(length):
        parts.extend([rng.choice(words), rng.choice(_UGLY_SPACES)])
    return "".join(parts)


def ugly_corpus(seed: int = 6, segments: int = 400) -> Corpus:
    """Entities, control characters, lone surrogates, odd spaces, empty texts."""
    rng = random.Random(seed)
    hypotheses = ["", " ", "", "a", "\u3000", "the " * 400, "."]
    references: list[list[str | None]] = [
        ["", None],
        ["x"],
        ["x y", ""],
        [""],
        ["\u3000"],
        ["the " * 3, "the the cat"],
        [". ."],
    ]
    while len(hypotheses) < segments:
        text = _ugly_text(rng, rng.randrange(1, 25))
        hypotheses.append(_edited(rng, text))
        references.append([_edited(rng, text) for _ in range(rng.randrange(1, 4))])
    return Corpus(hypotheses, references)
