"""The Snowball stemmers against METEOR's jar: words built of each language's letters and endings."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from cocarde.stemmers.snowball import LANGUAGES, stem_words
from tests import meteor_peer
from tests.data_access import require_data_folder

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

LATIN = "abcdefghijklmnopqrstuvwxyz"
# The letters of each language that are not plain Latin, or all of another alphabet.
LETTERS = {
    "da": "æåø",
    "de": "äöüß",
    "en": "'’",
    "es": "áéíóúüñ",
    "fi": "äöå",
    "fr": "âàçëéêèïîôûùœ",
    "hu": "áéíóöőúüűõû",
    "it": "áéíóúàèìòù",
    "nl": "äëïöüáéíóúè",
    "no": "æåø",
    "pt": "ãõáéíóúâêôçü",
    "ro": "ăâîșțşţ",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "sv": "äåö",
    "tr": "çğıöşüİâ",
}
# Endings of the language's grammar, and what the corrections look for.
_ENDINGS = {
    "da": "erne ernes ets heden hederne erendes ende else igt lig elig løst ig gd dt gt kt '' 11 SS",
    "de": "e em en ern er es s st est end ung ig ik isch lich heit keit igkeit nis nisse nissen "
    "nisses niße enheiten bst ung",
    "en": "s 's s' ies ied ing ingly ed edly eed eedly ational tional enci anci izer alli entli "
    "ousness fulness biliti lessli logi li icate ative alize ical ful ness ement ment sion tion",
    "es": "me se sela selos selas la le lo las les los nos iéndose ando ar er ir yendo anza ismo "
    "able ista oso amiento adora ación ante ancia logía ución encia amente mente idad iva aba ía "
    "aremos aríamos asteis iésemos guen gue yó",
    "fi": "kin kaan kään ko kö han hän pa pä sti si ni nsa nsä mme nne an än en siin seen den tten "
    "hin hon hun n a ä tta ttä ta tä ssa ssä sta stä lla llä lta ltä lle na nä ksi ine mpi mma mmi "
    "impi eja ejä i j t imma iden eiden oiden uiden aa ee ii uu jo kk ddåå AA 11a",
    "fr": "ance iqUe isme able iste eux atrice ateur ation logie usion ution ence ement eusement "
    "ivement ité abilité icité if ive eaux aux euse issement amment emment ment ments îmes ît i ie "
    "ira issaient ions é ée èrent er erai ez iez âmes a ai asse assions ion ier ière e ë guë guës "
    "guëment guëments qu aïs ïs ëment enne onne ette elle eille és èves Heurt H He Hi",
    "hu": "ban ben nak nek val vel tól től ról ről ból ből hoz hez höz nál nél ig at et ot öt ért ba "
    "be ra re szor szer ször kor ként képpen ott ett án én ástul astul stül á é ké éké é im aim jaim "
    "ink aink uk juk ük k ak ok ek ök om od am ad a ja ő ű õ û ebb",
    "it": "ci gli la le lo mi si vi sene gliela tele ando endo are ere ire anza iche ismo abile "
    "ista oso mento atrice azione logia uzione enza amento amente ità iva ivo asse ava emmo erebbe "
    "isca ono uti",
    "nl": "heden heid end ing ig lijk baar bar en ene s se e aa ee oo uu aat oos kken dden tten gem "
    "i y ieë",
    "no": "a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes hets ets et "
    "het ast erte ert s dt vt leg eleg ig eig lig elig els lov elov slov hetslov",
    "pt": "eza ico ismo ável ista oso amento adora ador aça~o ante ância logia logias logía logías "
    "ução uções ución uciones ência amente mente antemente idade iva ira ada ia ara ando eria avam "
    "íamos gue çao os i ê",
    "ro": "ul ului ele eaua iei iilor ație ația abil ibil abilitate ivitate icator iune ism ist "
    "uție anta at ată iva oasă esc ească ase ând indu iserăm eau ez isem aseți ie iala",
    "ru": "в вши вшись ив ивши ывшись ее ие ыми ого ему ыми ем нн вш ющ щ ившая ся сь ла ете йте ешь "
    "нно уйте ейте ило ыть ую а ев иями ях ость ост ейш ейше ь нь ё ёй ёшь ёнок",
    "sv": "a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter "
    "or as es ast s lig els löst fullt dd gd nn dt gt kt tt ig",
    "tr": "lar ler ların lerin ım im um üm mız sınız ları leri nı ni yı yu nın nin da de ta te dan "
    "den la le yla ca ce yken sa se ydı mış ymış dır dur ki nda nde ndan sınız casına ad soyad yor",
}
ENDINGS = {language: words.split() for language, words in _ENDINGS.items()}
ODDITIES = [
    "1",
    "-",
    ".",
    "\u0301",
    "ß",
    "å",
    "È",
    "õ",
    "ё",
    "字",
    "\ue000",
    "😀",
    "\U0010ffff",
    "''",
]
VOWELS = "aeiouyèë"


def generated(language: str, count: int) -> list[str]:
    """Return distinct words: stems of random letters with endings, odd letters, capitals."""
    chance = random.Random(f"words of {language}")
    special = LETTERS[language]
    letters = special if language == "ru" else LATIN + 3 * VOWELS[:6] + 2 * special
    endings = ENDINGS[language]
    words: set[str] = set()
    while len(words) < count:
        word = "".join(chance.choices(letters, k=chance.randint(0, 6)))
        word += "".join(chance.choices(endings, k=chance.choice((0, 1, 1, 1, 2, 2, 3))))
        kind = chance.random()
        if kind < 0.15:
            place = chance.randint(0, len(word))
            word = word[:place] + chance.choice(ODDITIES) * chance.randint(1, 2) + word[place:]
        elif kind < 0.2:
            word = chance.choice((word.upper(), word.title(), word * 30))
        elif kind < 0.3 and word:
            place = chance.randrange(len(word))
            word = word[:place] + word[place] + word[place:]  # a double letter
        words.add(word)
    return sorted(words)


def real_words(language: str) -> list[str]:
    """Return the distinct words of examples and shared data."""
    files = sorted((EXAMPLES / language).rglob("*")) if (EXAMPLES / language).is_dir() else []
    if language == "en":
        folder = require_data_folder()
        files += sorted((folder / "multeval").iterdir()) + sorted((folder / "nlg-eval").iterdir())
    texts = [path.read_text("utf-8", "replace") for path in files if path.is_file()]
    return sorted({word for text in texts for word in text.split()})


@pytest.mark.parametrize("language", LANGUAGES)
def test_stems_are_the_jars(language: str) -> None:
    words = [
        word
        for word in dict.fromkeys(real_words(language) + generated(language, 12_000))
        # The program trims its lines and leaves numbers alone.
        if re.search(r"[\x00-\x20]", word) is None and re.search(r"[^\d.,-]", word)
    ]
    printed = meteor_peer.run("Stemmer", language, text="\n".join(words) + "\n").split("\n")
    assert printed.pop() == ""
    ours = stem_words("se" if language == "sv" else language, words)
    assert len(printed) == len(words) == len(ours)
    wrong = [row for row in zip(words, ours, printed, strict=True) if row[1] != row[2]]
    assert not wrong, f"{len(wrong)} of {len(words)} differ (word, ours, jar's): {wrong[:10]}"
    # So that an empty peer cannot agree.
    assert sum(stem != word for stem, word in zip(ours, words, strict=True)) > len(words) // 3
