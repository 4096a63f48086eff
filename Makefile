# Everything one can do with solverlab from a fresh clone. Needs Python 3.11 (or newer) and make, nothing else.
SHELL := /bin/sh
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --progress-bar off -c constraints.txt
# A .venv whose making was interrupted has no pip yet.
MEND_PIP := $(BIN)/python -m pip --version > /dev/null 2>&1 || $(BIN)/python -m ensurepip
PORT ?= 5006
JOBS ?= auto
PYTEST_ARGS ?=
# Dozens of processes import the same packages: bytecode is kept, whatever this machine's habit is.
PYTEST = env PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 SOLVERLAB_TEST_TABLES="$(TABLES)" \
	SOLVERLAB_CHROMIUM="$$(cat $(VENV)/chromium)" $(BIN)/python -m pytest --no-skips
# Three groups of tests (docs/testing.md): those that only reckon, those that drive a browser or a notebook's
# kernel, and those that must have the machine to themselves.
DRIVING := tests/browser tests/notebooks
TIMING := tests/run
ALONE := tests/browser/test_lab_in_jupyter.py
# One process a core (and one thread of matrix products in each, or they fight for the cores); a file stays in
# one process, so that what its tests share is made once. The order of files is that of tests/conftest.py.
SPREAD := -n $(JOBS) --dist loadfile --no-loadscope-reorder
# The big tables are built once for all groups, anew in every `make test`.
TABLES := $(CURDIR)/test-results/tables
LINTED := $(CURDIR)/test-results/lint.txt
# When each part of `make test` began; told at the end beside the budget of docs/testing.md.
TIMES := $(CURDIR)/test-results/times.txt
BEGINS = mkdir -p "$(CURDIR)/test-results" && date "+%s $(1)" >> "$(TIMES)"
# A server that opens nothing but what the student asked for, and never calls home.
LAB_FLAGS := --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate --LabApp.news_url=None \
	--LabApp.extension_manager=readonly

.PHONY: help serve lab test driving reckoning lint chromium bench proof screenshots wheel clean distclean

help:  ## this list
	@echo "solverlab: see poker solvers think. Type one of:"
	@echo
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "The first call makes $(VENV) and installs into it (a few minutes); later calls start at once."

serve: $(VENV)/installed  ## open the dashboard in the browser (another port: make serve PORT=8080)
	$(BIN)/solverlab serve --port $(PORT)

lab: $(VENV)/installed  ## open the notebooks in JupyterLab
	$(BIN)/jupyter lab --notebook-dir=notebooks $(LAB_FLAGS) $$(test "$$(id -u)" != 0 || echo --allow-root)

test: $(VENV)/installed-dev chromium  ## prove all of it: lint, contracts, unit, parity, notebook and browser tests
	@rm -rf "$(TABLES)" && mkdir -p "$(TABLES)"
	@rm -f "$(TIMES)"; $(call BEGINS,reckoning and lint)
	@echo "== lint runs beside the tests that reckon and is told when they have ended =="
	@$(MAKE) --no-print-directory lint > "$(LINTED)" 2>&1 & lint=$$!; \
		$(MAKE) --no-print-directory reckoning; reckoned=$$?; \
		wait $$lint; linted=$$?; cat "$(LINTED)"; test $$reckoned = 0 && test $$linted = 0
	@$(MAKE) --no-print-directory driving
	@$(call BEGINS,timing)
	@echo "== tests that need the machine alone =="
	$(PYTEST) -v -m timing $(TIMING) $(PYTEST_ARGS)
	@rm -rf "$(TABLES)"
	@$(call BEGINS,end)
	@awk '{ now = $$1; $$1 = ""; if (NR > 1) printf "%6d s %s\n", now - then, part; then = now; part = $$0 }' "$(TIMES)"
	@echo "== all tests passed, none skipped =="

# Pages have the machine to themselves: beside other work one now and then waits longer than a test's patience.
driving: chromium
	@$(call BEGINS,notebooks)
	@echo "== tests that run a notebook =="
	$(PYTEST) $(SPREAD) -v -m "not timing" tests/notebooks $(PYTEST_ARGS)
	@$(call BEGINS,pages)
	@echo "== tests that drive a browser =="
	$(PYTEST) $(SPREAD) -v -m "not timing" tests/browser --ignore=$(ALONE) $(PYTEST_ARGS)
	@echo "== tests that drive JupyterLab: a server, a kernel and a browser have both cores =="
	$(PYTEST) -v -m "not timing" $(ALONE) $(PYTEST_ARGS)

reckoning: chromium
	@echo "== tests that reckon =="
	$(PYTEST) $(SPREAD) -m "not timing" $(DRIVING:%=--ignore=%) $(PYTEST_ARGS)

lint: $(VENV)/installed-dev  ## style, types and import contracts only
	@echo "== ruff check =="
	$(BIN)/ruff check
	@echo "== ruff format =="
	$(BIN)/ruff format --check
	@echo "== mypy, maths rooms =="
	$(BIN)/mypy
	@echo "== import contracts =="
	$(BIN)/lint-imports
	@echo "== notebooks without outputs =="
	$(BIN)/nbstripout --verify notebooks/*.ipynb

chromium: $(VENV)/installed-dev
	@$(BIN)/python tools/provide_chromium.py > $(VENV)/chromium.new
	@mv $(VENV)/chromium.new $(VENV)/chromium

bench: $(VENV)/installed-bench  ## race against OpenSpiel and LiteEFG on this machine
	$(BIN)/solverlab bench

proof: $(VENV)/installed-dev $(VENV)/installed-bench chromium  ## the long evidence: soaks and full-length solves, into proof/*.json
	SOLVERLAB_CHROMIUM="$$(cat $(VENV)/chromium)" $(BIN)/solverlab proof

screenshots: $(VENV)/installed-dev chromium  ## draw docs/images anew
	SOLVERLAB_CHROMIUM="$$(cat $(VENV)/chromium)" $(BIN)/python tools/screenshots.py

wheel: $(VENV)/installed-dev  ## build the package into dist/
	$(BIN)/python -m build --no-isolation

clean:  ## throw away caches and build output
	rm -rf build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache test-results
	find . -path ./$(VENV) -prune -o -path ./.git -prune -o -type d \
		\( -name __pycache__ -o -name .ipynb_checkpoints \) -print | xargs rm -rf

distclean: clean  ## throw away the installation in .venv, too
	rm -rf $(VENV)

# A stamp file says an installation is finished; it is made again when the list of packages changes.
$(BIN)/python:
	@echo "== making $(VENV) =="
	@for python in $(PYTHON) python3.11 python3 python3.12 python3.13 python; do \
		if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			"$$python" --version && exec "$$python" -m venv $(VENV); \
		fi; \
	done; \
	echo "solverlab needs Python 3.11 or newer with its venv module: install it (Debian: apt-get install" \
		"python3 python3-venv) or name it, as in: make serve PYTHON=/path/to/python3.11" >&2; exit 1

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "== installing solverlab and what it runs on (the first time a few minutes) =="
	@$(MEND_PIP)
	$(PIP) -e .
	@touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "== installing solverlab and what its tests need (the first time a few minutes) =="
	@$(MEND_PIP)
	$(PIP) --no-compile -e '.[dev]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-bench: pyproject.toml constraints.txt | $(BIN)/python
	@echo "== installing solverlab and the solvers it races (the first time a few minutes) =="
	@$(MEND_PIP)
	$(PIP) -e '.[bench]'
	@touch $@ $(VENV)/installed
