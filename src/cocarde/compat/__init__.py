"""Drop-in replacements for other packages: the same names, defaults and results."""
