# The commands: demo, test, check, bench, figures, docs, soak.  Each makes what it needs first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --no-deps

HOURS ?= 8

# Twice as many tests as there are cores: many wait for a browser, or for another process.
PARALLEL := -n 4 --dist loadfile --no-loadscope-reorder

# Compiled sources are kept: without them each worker's collection takes 10.8 s of CPU time instead of 7.7.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check bench figures docs soak install test-system clean lock licences

install: $(VENV)/.installed

# What builds packages that come as source alone is installed first; everything by hash.
$(VENV)/build.txt: requirements/dev.txt
	$(PYTHON) -m venv $(VENV)
	sed -n '/^setuptools==/,/[^\\]$$/p' $< > $@
	$(PIP) --require-hashes --only-binary :all: -r $@

# PyTorch's own CPU build is taken where pip finds one; every other build needs CUDA's libraries.
$(VENV)/.installed: pyproject.toml requirements/dev.txt $(VENV)/build.txt
	$(PIP) --require-hashes --only-binary :all: -r requirements/cpu.txt 2>/dev/null || true
	$(PIP) --require-hashes --no-build-isolation -r requirements/dev.txt
	$(BIN)/python -c 'import torch' 2>/dev/null || \
		$(PIP) --require-hashes --only-binary :all: -r requirements/cuda.txt
	$(PIP) --no-build-isolation -e .
	touch $@

# What a player needs, and no more.
$(VENV)/.play: requirements/play.txt $(VENV)/build.txt
	$(PIP) --require-hashes --no-build-isolation -r $<
	$(PIP) --no-build-isolation -e .
	touch $@

demo: $(VENV)/.play
	$(BIN)/boardsight demo

test-system:
	sh tests/install_system.sh

test: install test-system
	$(BIN)/python -m pytest $(PARALLEL)

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python requirements/audit.py
	$(BIN)/python -m pytest -q $(PARALLEL) -m "not browser and not display and not slow"

# Every saved table and the page; fails at the end where one needs a program that is missing.
bench: install
	$(BIN)/python -m bench --again; made=$$?; $(BIN)/python -m bench.figures && exit $$made

figures: install
	$(BIN)/python -m bench.figures

# The pages of docs/ as a site in build/docs; a link that leads nowhere fails it.
$(VENV)/.docs: requirements/docs.txt $(VENV)/build.txt
	$(PIP) --require-hashes --only-binary :all: -r $<
	touch $@

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --site-dir build/docs
	@echo build/docs/index.html

soak: install
	$(BIN)/python -m bench hostile --set games=1000000 hours=$(HOURS) --results soak

clean:
	rm -rf $(VENV) build dist

lock: # needs uv: writes requirements/*.txt anew from pyproject.toml and constraints.txt
	requirements/lock.sh

licences: install $(VENV)/.docs
	$(BIN)/python requirements/licences.py
