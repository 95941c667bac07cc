# Everything a checkout needs, from Python >= 3.10 and a C++20 compiler:
#   make demo      install into .venv and score the bundled examples
#   make check     the quick one while writing: ruff, types, unit tests
#   make test      everything that has to hold before a merge
#   make left-out  the tests that `make test` left out for want of data or packages, now with torch
#   make bench     time against the peers      make docs      build/docs/html
#   make format    rewrite the sources         make lint      check them
#   make sanitize  native tests under sanitizers  make fuzz      generated hostile input under them
#   make other-pythons   try the wheel on the oldest and newest other Python here
#   make wheel     dist/*.whl                  make clean     remove all that was made
# PYTHON=python3.12 chooses the interpreter, VENV=folder another place for the environment.

PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?= -n auto --dist worksteal
# What the last run of the tests left out, and why.
LEFT_OUT := build/left-out.tsv

BIN := $(VENV)/bin
IN_VENV := tools/within.sh $(VENV)
COCARDE := $(BIN)/cocarde
# Folders too: their time changes when a file is removed.
SOURCES := pyproject.toml CMakeLists.txt README.md $(shell find src -not -name '*.so' -not -name '__pycache__' -not -name '*.pyc')

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo check test pytest left-out bench docs format lint sanitize fuzz wheel clean other-pythons
.PHONY: ruff types types-src imports stub tables unit
.NOTPARALLEL:
.DELETE_ON_ERROR:

# ---- the environment: one stamp a step, so that nothing is done twice ----

MADE := $(VENV)/.made-with-$(subst /,_,$(PYTHON))
$(MADE):
	@echo "making a virtual environment in $(VENV)"
	@tools/venv.sh "$(PYTHON)" "$(VENV)"
	@touch $@

TOOLS := $(VENV)/.build-tools
$(TOOLS): pyproject.toml tools/build_requirements.py tools/compiler.sh $(MADE)
	@echo "installing the tools that build cocarde into $(VENV)"
	@tools/compiler.sh "$(VENV)"
	@$(IN_VENV) pip install -q $$($(BIN)/python tools/build_requirements.py)
	@more=$$($(IN_VENV) python tools/build_requirements.py --hook); test -z "$$more" || $(IN_VENV) pip install -q $$more
	@touch $@

# Two ways to build: as anyone who installs, and with every compiler warning an error.
INSTALLED := $(VENV)/.installed
$(INSTALLED): $(SOURCES) $(TOOLS)
	@$(IN_VENV) tools/install.sh
	@touch $@

STRICT := $(VENV)/.installed-strict
$(STRICT): $(SOURCES) $(TOOLS)
	@$(IN_VENV) tools/install.sh --config-settings=cmake.define.COCARDE_WARNINGS_AS_ERRORS=ON
	@touch $(INSTALLED) $@

# The wheel in build/wheel is installed already; this adds what its extra asks for.
$(VENV)/.extra-%: pyproject.toml | $(STRICT)
	@echo "installing the extra $*"
	@$(IN_VENV) pip install -q "$$(echo build/wheel/*.whl)[$*]"
	@touch $@

# ---- for users ----

demo: $(INSTALLED)
	@printf '\n== English ==\n'
	$(COCARDE) score examples/en/system1.txt examples/en/system2.txt -r examples/en/reference.txt -r examples/en/reference2.txt
	@printf '\n== English, METEOR: stems and synonyms match too ==\n'
	$(COCARDE) score examples/en/system1.txt examples/en/system2.txt -r examples/en/reference.txt -r examples/en/reference2.txt -m meteor --normalize
	@printf '\n== German ==\n'
	$(COCARDE) score examples/de/system1.txt examples/de/system2.txt -r examples/de/reference.txt
	@printf '\n== Chinese: one token a character ==\n'
	$(COCARDE) score examples/zh/system1.txt examples/zh/system2.txt -r examples/zh/reference.txt -r examples/zh/reference2.txt --tokenize zh
	@printf '\n== Japanese: one token a character (words: pip install "cocarde[japanese]", --tokenize ja-mecab) ==\n'
	$(COCARDE) score examples/ja/system1.txt examples/ja/system2.txt -r examples/ja/reference.txt --tokenize char

# ---- for developers ----

# The quick parts come first; a part that fails does not keep the others from running.
export MAKE
PARTS := tools/parts.sh
LINT := ruff imports stub tables types

test: $(VENV)/.extra-lint $(VENV)/.extra-docs $(VENV)/.extra-test
	@$(PARTS) $(LINT) docs pytest sanitize

check: $(VENV)/.extra-lint $(VENV)/.extra-test
	@$(PARTS) ruff types-src unit

lint: $(VENV)/.extra-lint $(VENV)/.extra-test
	@$(PARTS) $(LINT)

# Those in tests/native are for the sanitizers, and run there.
pytest: $(VENV)/.extra-test $(STRICT)
	$(IN_VENV) python -m pytest -p tests.ci_plugin --record-left-out $(LEFT_OUT) --ignore tests/native $(PYTEST_ARGS)

left-out: $(VENV)/.extra-test $(VENV)/.extra-test-torch $(STRICT)
	$(IN_VENV) python -m pytest -p tests.ci_plugin --run-left-out $(LEFT_OUT) $(PYTEST_ARGS)

unit: $(VENV)/.extra-test $(STRICT)
	$(IN_VENV) python -m pytest tests/unit -q -m "not slow and not torch" $(PYTEST_ARGS)

ruff: $(VENV)/.extra-lint
	$(IN_VENV) ruff check .
	$(IN_VENV) ruff format --check .

# mypy reads the tests too, so their packages have to be there.
types: $(VENV)/.extra-lint $(VENV)/.extra-test
	$(IN_VENV) mypy

types-src: $(VENV)/.extra-lint $(VENV)/.extra-test
	$(IN_VENV) mypy src

imports: $(VENV)/.extra-lint
	$(IN_VENV) lint-imports

stub: $(VENV)/.extra-lint $(STRICT)
	$(IN_VENV) tools/stub.sh --check

tables: $(VENV)/.extra-test $(STRICT)
	$(IN_VENV) python tools/check_tables.py

format: $(VENV)/.extra-lint
	$(IN_VENV) ruff check --fix .
	$(IN_VENV) ruff format .

sanitize: $(VENV)/.extra-test $(STRICT)
	$(IN_VENV) tools/sanitize.sh

# Seconds for each of the targets in tests/fuzz.
FUZZ_SECONDS ?= 15
fuzz: $(VENV)/.extra-test $(STRICT)
	$(IN_VENV) tools/sanitize.sh --python -m tests.fuzz.run --seconds $(FUZZ_SECONDS)

other-pythons: $(STRICT)
	@tools/other_pythons.sh $(VENV)

docs: $(VENV)/.extra-docs $(STRICT)
	rm -rf docs/api
	$(IN_VENV) sphinx-build -q -W --keep-going -b html docs build/docs/html

bench: $(VENV)/.extra-bench $(STRICT)
	$(IN_VENV) python -m benchmarks

wheel: $(TOOLS)
	$(IN_VENV) pip wheel -q --no-deps --no-build-isolation -w dist .
	@ls dist/*.whl

clean:
	rm -rf build dist docs/api $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests tools docs -name __pycache__ -prune -exec rm -rf {} +
	find src -name '_native*.so' -delete
