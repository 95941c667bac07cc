"""The choice of a tokenizer by the script of the text."""

from __future__ import annotations

import pytest

from cocarde import ROUGE, OptionError, References, tokenizers
from cocarde.tokenizers import automatic

TEXTS = {
    "English": ("The committee’s report — a café classic — cost 1,000.50 euros.", "rouge"),
    "Indonesian": ("Presiden mengatakan bahwa harga beras akan turun tahun depan.", "rouge"),
    "French": ("Les élèves ont été reçus par le maire à l’hôtel de ville.", "words"),
    "German": ("Die Bürger müssen für die größere Straße mehr zahlen.", "words"),
    "Russian": ("Президент сказал, что цены упадут в следующем году.", "words"),
    "Greek": ("Ο πρόεδρος είπε ότι οι τιμές θα πέσουν του χρόνου.", "words"),
    "Arabic": ("قال الرئيس إن الأسعار ستنخفض العام المقبل.", "words"),
    "Hebrew": ("הנשיא אמר שהמחירים ירדו בשנה הבאה.", "words"),
    "Hindi": ("राष्ट्रपति ने कहा कि अगले साल कीमतें घटेंगी।", "words"),
    "Bengali": ("রাষ্ট্রপতি বলেছেন যে আগামী বছর দাম কমবে।", "words"),
    "Tamil": ("அடுத்த ஆண்டு விலைகள் குறையும் என்று அதிபர் கூறினார்.", "words"),
    "Georgian": ("პრეზიდენტმა თქვა, რომ ფასები მომავალ წელს დაიკლებს.", "words"),
    "Amharic": ("ፕሬዝዳንቱ ዋጋ በሚቀጥለው ዓመት እንደሚቀንስ ተናግረዋል።", "words"),
    "Korean": ("대통령은 내년에 물가가 내릴 것이라고 말했다.", "words"),
    "Chinese": ("总统表示，明年物价将会下降。", "zh-unicode"),
    "Chinese with names": ("使用 PyTorch 和 TensorFlow 训练大型语言模型。", "zh-unicode"),
    "Chinese with a kana": (
        "她买了一瓶鲜の每日牛奶，味道非常好，价格也不贵，明天还会再去买。",
        "zh-unicode",
    ),
    "Japanese": ("大統領は来年物価が下がると述べた。", "char"),
    "Japanese in katakana": ("コンピューターのメモリーとプロセッサー", "char"),
    "Thai": ("ประธานาธิบดีกล่าวว่าราคาจะลดลงในปีหน้า", "char"),
    "Lao": ("ປະທານປະເທດກ່າວວ່າລາຄາຈະຫຼຸດລົງໃນປີຫນ້າ", "char"),
    "Khmer": ("ប្រធានាធិបតីបាននិយាយថាតម្លៃនឹងធ្លាក់ចុះនៅឆ្នាំក្រោយ", "char"),
    "Burmese": ("သမ္မတက လာမည့်နှစ်တွင် ဈေးနှုန်းများ ကျဆင်းမည်ဟု ပြောကြားခဲ့သည်။", "char"),
}


@pytest.mark.parametrize("language", TEXTS)
def test_languages(language: str) -> None:
    text, expected = TEXTS[language]
    texts = [text, text * 3, "", "12 %"]
    if language == "English":
        # One word in fifty may have another letter.
        texts.append("and so on, with no letter but those of ASCII " * 20)
    assert automatic.pick(texts) == expected


@pytest.mark.parametrize("language", TEXTS)
def test_what_is_picked_leaves_something(language: str) -> None:
    text, expected = TEXTS[language]
    tokens = tokenizers.get(expected)(text)
    assert sum(map(len, tokens)) > 0.6 * sum(not character.isspace() for character in text)


def test_no_words() -> None:
    for texts in ([], [""], ["...", "👍"], [" \n"]):
        assert automatic.pick(texts) == "rouge"


def test_the_majority_decides() -> None:
    english, chinese = TEXTS["Indonesian"][0], TEXTS["Chinese"][0]
    assert automatic.pick([english] * 3 + [chinese]) == "rouge"
    assert automatic.pick([english] + [chinese] * 3) == "zh-unicode"


def test_words_are_counted_by_their_letters() -> None:
    counts = automatic.count_words(["don’t x1 2024 naïve ١٢ 한국어 漢字 ひら カタカナ กข _ 👍 ²"])
    assert counts == automatic.WordCounts(ascii=3, other=4, han=2, kana=3, unspaced=2)


def test_large_input_is_sampled_over_its_whole_length() -> None:
    """Nothing but a part is looked at, which the order of the texts alone decides."""
    texts = ["one two"] * 40_000 + ["слово ещё"] * 60_000
    counts = automatic.count_words(texts)
    assert counts == automatic.WordCounts(ascii=800, other=1200, han=0, kana=0, unspaced=0)
    assert automatic.count_words(["a " * 1_000_000]).ascii == 500


def test_lone_surrogates() -> None:
    assert automatic.pick(["\ud800 слово \udfff"]) == "words"


def test_wrong_type() -> None:
    with pytest.raises(TypeError, match="list, not str"):
        automatic.pick(["a", ["b"]])  # type: ignore[list-item]


def test_auto_is_no_tokenizer_by_itself() -> None:
    with pytest.raises(OptionError, match=r"automatic\.pick"):
        tokenizers.get("auto")


def test_fit_takes_references_of_every_shape() -> None:
    chinese = ["猫坐在垫子上。", "今天天气很好。"]
    given = [chinese, [[text] for text in chinese], iter(chinese), References.from_streams(chinese)]
    fitted = [ROUGE(tokenize="auto").fit(references) for references in given]
    assert {metric.tokenize for metric in fitted} == {"zh-unicode"}
