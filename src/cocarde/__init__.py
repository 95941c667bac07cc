"""cocarde: scores for machine-translated and generated text, exact, fast and explained.

The public names are imported when they are first used, so that ``import cocarde`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING
from typing import Any as _Any

from cocarde._version import __version__

if TYPE_CHECKING:
    from cocarde._util.threads import get_num_threads as get_num_threads
    from cocarde._util.threads import set_num_threads as set_num_threads
    from cocarde.core.accumulator import Accumulator as Accumulator
    from cocarde.core.columns import PreparedReferences as PreparedReferences
    from cocarde.core.evaluation import evaluate as evaluate
    from cocarde.core.explanation import explain as explain
    from cocarde.core.metric import Metric as Metric
    from cocarde.core.ngrams import ngram_counts as ngram_counts
    from cocarde.core.own_metrics import ColumnMetric as ColumnMetric
    from cocarde.core.own_metrics import CorpusFitted as CorpusFitted
    from cocarde.core.own_metrics import SeveralScores as SeveralScores
    from cocarde.core.own_metrics import SimpleScores as SimpleScores
    from cocarde.core.own_metrics import TextMetric as TextMetric
    from cocarde.core.registry import metric as metric
    from cocarde.core.score import Score as Score
    from cocarde.core.score import ScoresByPart as ScoresByPart
    from cocarde.core.signature import Signature as Signature
    from cocarde.core.statistics import Statistics as Statistics
    from cocarde.corpus.segments import References as References
    from cocarde.errors import CocardeError as CocardeError
    from cocarde.errors import CocardeWarning as CocardeWarning
    from cocarde.errors import InputError as InputError
    from cocarde.errors import MissingExtraError as MissingExtraError
    from cocarde.errors import OptionError as OptionError
    from cocarde.errors import SeveralScoresError as SeveralScoresError
    from cocarde.metrics.bleu.metric import BLEU as BLEU
    from cocarde.metrics.bleu.metric import BLEUScore as BLEUScore
    from cocarde.metrics.chrf.metric import CHRF as CHRF
    from cocarde.metrics.chrf.metric import CHRFScore as CHRFScore
    from cocarde.metrics.gleu.metric import GLEU as GLEU
    from cocarde.metrics.gleu.metric import GLEUScore as GLEUScore
    from cocarde.metrics.meteor.metric import METEOR as METEOR
    from cocarde.metrics.meteor.metric import METEORScore as METEORScore
    from cocarde.metrics.rouge.metric import ROUGE as ROUGE
    from cocarde.metrics.rouge.score import ROUGEScore as ROUGEScore
    from cocarde.metrics.ter.metric import TER as TER
    from cocarde.metrics.ter.metric import TERScore as TERScore
    from cocarde.significance.comparison import Comparison as Comparison
    from cocarde.significance.comparison import Runs as Runs
    from cocarde.significance.comparison import compare as compare
    from cocarde.tuning.meteor import tune_meteor as tune_meteor

_HOMES = {
    "Accumulator": "cocarde.core.accumulator",
    "BLEU": "cocarde.metrics.bleu.metric",
    "BLEUScore": "cocarde.metrics.bleu.metric",
    "CHRF": "cocarde.metrics.chrf.metric",
    "CHRFScore": "cocarde.metrics.chrf.metric",
    "ColumnMetric": "cocarde.core.own_metrics",
    "CorpusFitted": "cocarde.core.own_metrics",
    "CocardeError": "cocarde.errors",
    "CocardeWarning": "cocarde.errors",
    "Comparison": "cocarde.significance.comparison",
    "GLEU": "cocarde.metrics.gleu.metric",
    "GLEUScore": "cocarde.metrics.gleu.metric",
    "InputError": "cocarde.errors",
    "METEOR": "cocarde.metrics.meteor.metric",
    "METEORScore": "cocarde.metrics.meteor.metric",
    "Metric": "cocarde.core.metric",
    "MissingExtraError": "cocarde.errors",
    "OptionError": "cocarde.errors",
    "PreparedReferences": "cocarde.core.columns",
    "ROUGE": "cocarde.metrics.rouge.metric",
    "ROUGEScore": "cocarde.metrics.rouge.score",
    "References": "cocarde.corpus.segments",
    "Runs": "cocarde.significance.comparison",
    "Score": "cocarde.core.score",
    "ScoresByPart": "cocarde.core.score",
    "SeveralScores": "cocarde.core.own_metrics",
    "SeveralScoresError": "cocarde.errors",
    "Signature": "cocarde.core.signature",
    "SimpleScores": "cocarde.core.own_metrics",
    "Statistics": "cocarde.core.statistics",
    "compare": "cocarde.significance.comparison",
    "TextMetric": "cocarde.core.own_metrics",
    "TER": "cocarde.metrics.ter.metric",
    "TERScore": "cocarde.metrics.ter.metric",
    "evaluate": "cocarde.core.evaluation",
    "explain": "cocarde.core.explanation",
    "get_num_threads": "cocarde._util.threads",
    "metric": "cocarde.core.registry",
    "ngram_counts": "cocarde.core.ngrams",
    "set_num_threads": "cocarde._util.threads",
    "tune_meteor": "cocarde.tuning.meteor",
}

# Modules that are imported when they are first asked for.
_MODULES = frozenset(
    {"corpus", "errors", "metrics", "significance", "testing", "tokenizers", "tuning"}
)
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
