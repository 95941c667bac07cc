"""cocarde: scores for machine-translated and generated text, exact, fast and explained."""

from cocarde._version import __version__

__all__ = ["__version__"]
