# The commands: demo, test, check, bench, figures, soak.  Each makes what it needs first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

HOURS ?= 8

.PHONY: demo test check bench figures soak install test-system clean

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet -c constraints.txt -e '.[dev]'
	touch $@

demo: install
	$(BIN)/boardsight demo

test-system:
	sh tests/install_system.sh

test: install test-system
	$(BIN)/python -m pytest -n 2 --dist loadgroup

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -m "not browser and not display and not slow"

bench: install
	$(BIN)/python -m bench

figures: install
	$(BIN)/python -m bench.figures

soak: install
	$(BIN)/python -m bench.hostile.screens --games 1000000 --hours $(HOURS) --output soak.md

clean:
	rm -rf $(VENV) build dist
