"""Sphinx: the guides in Markdown and, from the docstrings, the API."""

from __future__ import annotations

from importlib import metadata

project = "cocarde"
author = "The cocarde developers"
copyright = author
release = version = metadata.version("cocarde")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}  # autosummary writes .rst
exclude_patterns = ["_templates", "**/.ipynb_checkpoints"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
napoleon_google_docstring = False
napoleon_numpy_docstring = True
napoleon_use_rtype = False
napoleon_use_ivar = True  # a field is described once, in its class

# The same class is documented where it is defined and where it is public: either target will do.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = f"cocarde {release}"
html_copy_source = False
