"""What METEOR 1.5 knows of languages and tasks: names, stages, parameters, weights.

The numbers are those of METEOR Universal (Denkowski and Lavie, 2014) as release 1.5 has them.
"""

from __future__ import annotations

from typing import NamedTuple

from cocarde.errors import OptionError

__all__ = [
    "LANGUAGES",
    "STAGES",
    "TASKS",
    "Language",
    "Parameters",
    "parameters_of",
    "resolve_language",
]

STAGES = ("exact", "stem", "synonym", "paraphrase")


class Language(NamedTuple):
    """A language as METEOR knows it.

    Attributes
    ----------
    code, name : str
        METEOR's own.
    stages : tuple of str
        What METEOR looks at by default.
    normalizes : bool
        Whether METEOR's normaliser knows it.
    """

    code: str
    name: str
    stages: tuple[str, ...]
    normalizes: bool = False


_STEMMED = ("exact", "stem")
_WITH_TABLE = ("exact", "stem", "paraphrase")
LANGUAGES = {
    language.code: language
    for language in (
        Language("en", "english", STAGES, normalizes=True),
        Language("cz", "czech", ("exact", "paraphrase"), normalizes=True),
        Language("fr", "french", _WITH_TABLE, normalizes=True),
        Language("es", "spanish", _WITH_TABLE, normalizes=True),
        Language("de", "german", _WITH_TABLE, normalizes=True),
        Language("ru", "russian", _WITH_TABLE, normalizes=True),
        Language("ar-bw-red", "arabic-buckwalter-reduced", _STEMMED),
        Language("pt", "portuguese", _STEMMED),
        Language("da", "danish", _STEMMED),
        Language("ro", "romanian", _STEMMED),
        Language("hu", "hungarian", _STEMMED),
        Language("tr", "turkish", _STEMMED),
        Language("fi", "finnish", _STEMMED),
        Language("nl", "dutch", _STEMMED),
        Language("it", "italian", _STEMMED),
        Language("no", "norwegian", _STEMMED),
        Language("se", "swedish", _STEMMED),
        Language("other", "other", ("exact",)),
    )
}
_ALIASES = {
    **{language.name: code for code, language in LANGUAGES.items()},
    "cs": "cz",
    "sv": "se",
    "xx": "other",
}


class Parameters(NamedTuple):
    """What a task sets.

    Attributes
    ----------
    alpha, beta, gamma, delta : float
    weights : tuple of float
        Of the first, second, third and fourth stage, whichever they are.
    """

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


_RUSSIAN = Parameters(0.75, 1.40, 0.70, 0.50, (1.0, 0.5, 0.5, 0.0))
_BY_LANGUAGE = {
    "rank": {
        "en": Parameters(0.85, 0.20, 0.60, 0.75, (1.0, 0.6, 0.8, 0.6)),
        "cz": Parameters(0.95, 0.20, 0.60, 0.80, (1.0, 0.4, 0.0, 0.0)),
        "fr": Parameters(0.90, 1.40, 0.60, 0.65, (1.0, 0.2, 0.4, 0.0)),
        "es": Parameters(0.65, 1.30, 0.50, 0.80, (1.0, 0.8, 0.6, 0.0)),
        "de": Parameters(0.95, 1.00, 0.55, 0.55, (1.0, 0.8, 0.2, 0.0)),
        "ru": _RUSSIAN,
    },
    "adq": {"en": Parameters(0.75, 1.40, 0.45, 0.70, (1.0, 1.0, 0.6, 0.8))},
    "hter": {"en": Parameters(0.40, 1.50, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8))},
    "util": {"en": Parameters(0.65, 0.10, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8))},
}
_FOR_ALL = {
    "li": Parameters(0.75, 1.40, 0.70, 0.50, (1.0, 0.5, 0.5, 0.5)),
    "tune": Parameters(0.50, 1.00, 0.50, 0.50, (1.0, 0.5, 0.5, 0.5)),
    "universal": Parameters(0.70, 1.40, 0.30, 0.70, (1.0, 0.6, 0.0, 0.0)),
}
TASKS = {
    "rank": "ranking of translations",
    "adq": "adequacy",
    "hter": "human-targeted edit rate",
    "util": "utility for a translator",
    "li": "any language",
    "tune": "tuning of a system",
    "universal": "a language with nothing but function words and paraphrases",
}


def resolve_language(language: object) -> Language:
    """Return a language by its code or name.

    Raises
    ------
    OptionError
        If METEOR does not know it.

    Examples
    --------
    >>> resolve_language("German").code
    'de'
    """
    found = None
    if isinstance(language, str):
        name = language.lower()
        found = LANGUAGES.get(_ALIASES.get(name, name))
    if found is None:
        raise OptionError(
            f"language: METEOR has no language {language!r}; it has {', '.join(LANGUAGES)}; 'other' "
            "is for every other one, without stems",
            option="language",
            value=language,
            choices=LANGUAGES,
        )
    return found


def parameters_of(language: Language, task: str | None) -> tuple[str, Parameters]:
    """Return the task, or the language's default one, and what it sets.

    Raises
    ------
    OptionError
        If there is no such task, or it is not tuned for the language.
    """
    if task is None:
        task = "rank" if language.code in _BY_LANGUAGE["rank"] else "li"
    if task not in TASKS:
        raise OptionError(
            f"task: there is no task {task!r}; there are {', '.join(TASKS)}",
            option="task",
            value=task,
            choices=TASKS,
        )
    if task == "universal":
        return task, _FOR_ALL[task]
    if language.code == "other":  # METEOR has one set for all tasks there
        return task, _FOR_ALL["li"]
    if task in _FOR_ALL:
        return task, _FOR_ALL[task]
    if language.code not in _BY_LANGUAGE[task]:
        fitting = [
            name for name in TASKS if name in _FOR_ALL or language.code in _BY_LANGUAGE[name]
        ]
        raise OptionError(
            f"task: METEOR has no parameters for {task!r} in {language.name}; there are "
            f"{', '.join(fitting)}, or give alpha, beta, gamma, delta and stage_weights"
        )
    return task, _BY_LANGUAGE[task][language.code]
