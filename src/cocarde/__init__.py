"""cocarde: scores for machine-translated and generated text, exact, fast and explained.

The public names are imported when they are first used, so that ``import cocarde`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING
from typing import Any as _Any

from cocarde._version import __version__

if TYPE_CHECKING:
    from cocarde._threads import get_num_threads as get_num_threads
    from cocarde._threads import set_num_threads as set_num_threads
    from cocarde.corpus.segments import References as References
    from cocarde.errors import CocardeError as CocardeError
    from cocarde.errors import CocardeWarning as CocardeWarning
    from cocarde.errors import InputError as InputError
    from cocarde.errors import MissingExtraError as MissingExtraError
    from cocarde.errors import OptionError as OptionError
    from cocarde.explanation import explain as explain
    from cocarde.explanation import ngram_counts as ngram_counts
    from cocarde.metrics.base import Accumulator as Accumulator
    from cocarde.metrics.base import Metric as Metric
    from cocarde.metrics.base import PreparedReferences as PreparedReferences
    from cocarde.metrics.base import Score as Score
    from cocarde.metrics.base import Signature as Signature
    from cocarde.metrics.base import Statistics as Statistics
    from cocarde.metrics.bleu import BLEU as BLEU
    from cocarde.metrics.bleu import BLEUScore as BLEUScore
    from cocarde.metrics.chrf import CHRF as CHRF
    from cocarde.metrics.chrf import CHRFScore as CHRFScore
    from cocarde.metrics.evaluation import evaluate as evaluate
    from cocarde.metrics.meteor import METEOR as METEOR
    from cocarde.metrics.meteor import METEORScore as METEORScore
    from cocarde.metrics.meteor_tuning import tune_meteor as tune_meteor
    from cocarde.metrics.rouge import ROUGE as ROUGE
    from cocarde.metrics.rouge import ROUGEScore as ROUGEScore
    from cocarde.metrics.ter import TER as TER
    from cocarde.metrics.ter import TERScore as TERScore
    from cocarde.significance.comparison import Comparison as Comparison
    from cocarde.significance.comparison import Runs as Runs
    from cocarde.significance.comparison import compare as compare

_HOMES = {
    "Accumulator": "cocarde.metrics.base",
    "BLEU": "cocarde.metrics.bleu",
    "BLEUScore": "cocarde.metrics.bleu",
    "CHRF": "cocarde.metrics.chrf",
    "CHRFScore": "cocarde.metrics.chrf",
    "CocardeError": "cocarde.errors",
    "CocardeWarning": "cocarde.errors",
    "Comparison": "cocarde.significance.comparison",
    "InputError": "cocarde.errors",
    "METEOR": "cocarde.metrics.meteor",
    "METEORScore": "cocarde.metrics.meteor",
    "Metric": "cocarde.metrics.base",
    "MissingExtraError": "cocarde.errors",
    "OptionError": "cocarde.errors",
    "PreparedReferences": "cocarde.metrics.base",
    "ROUGE": "cocarde.metrics.rouge",
    "ROUGEScore": "cocarde.metrics.rouge",
    "References": "cocarde.corpus.segments",
    "Runs": "cocarde.significance.comparison",
    "Score": "cocarde.metrics.base",
    "Signature": "cocarde.metrics.base",
    "Statistics": "cocarde.metrics.base",
    "compare": "cocarde.significance.comparison",
    "TER": "cocarde.metrics.ter",
    "TERScore": "cocarde.metrics.ter",
    "evaluate": "cocarde.metrics.evaluation",
    "explain": "cocarde.explanation",
    "get_num_threads": "cocarde._threads",
    "ngram_counts": "cocarde.explanation",
    "set_num_threads": "cocarde._threads",
    "tune_meteor": "cocarde.metrics.meteor_tuning",
}

# Modules that are imported when they are first asked for.
_MODULES = frozenset({"corpus", "errors", "explanation", "metrics", "significance", "tokenizers"})

__all__ = ["__version__", *sorted(_HOMES)]  # noqa: PLE0604


def __getattr__(name: str) -> _Any:
    home = _HOMES.get(name)
    if home is None:
        if name in _MODULES:
            return _import_module(f"cocarde.{name}")
        raise AttributeError(f"module 'cocarde' has no attribute {name!r}")
    value = getattr(_import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    hidden = {"TYPE_CHECKING", "annotations"}
    return sorted({*globals(), *_HOMES, *_MODULES} - hidden)
