# Everything that is done with a clone of Gin Arena. `make help` lists it.
#
# Needs Python 3.11 or newer (another one than python3: make demo PYTHON=python3.12), git and make.
# A stamp in the environment remembers what was installed, so that only a changed lock file installs again.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := -m pip --disable-pip-version-check --quiet
UV_COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make lock" pyproject.toml
EXTRAS := --extra cluster --extra server --extra statistics

# Further arguments of pytest or arena: make test ARGS="-k showdown"
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check lint types imports protocol format test-floor test-thorough test-languages test-wheel test-gate \
	fuzz kill-test soak bench bench-stats bench-peers lock clean

help: ## List the targets
	@awk -F ' *## ' '/^[a-z-]+:.*## / { split($$1, name, ":"); printf "make %-12s %s\n", name[1], $$2 }' Makefile

demo: $(VENV)/run.stamp ## Set up and play a small series to its ranked table
	$(BIN)/arena run tournaments/quickstart.yaml $(ARGS)

test: $(VENV)/dev.stamp ## Set up and run the whole test suite
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

test-thorough: $(VENV)/dev.stamp ## Test at length what `make test` tests in short
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder -m thorough $(ARGS)

test-languages: $(VENV)/dev.stamp ## Test the bots in other languages and the adapters (what has no toolchain is skipped)
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder -m languages $(ARGS)

check: lint types imports protocol ## Everything but the tests (make -k check goes on after a failure)

lint: $(VENV)/dev.stamp ## Lint and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/dev.stamp ## mypy, strict
	$(BIN)/mypy

imports: $(VENV)/dev.stamp ## The import contract between the rooms
	$(BIN)/lint-imports --no-logo

protocol: $(VENV)/dev.stamp ## The protocol: lint, format, and drift of the generated code
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code
	$(BIN)/python tools/generate_protocol.py --check

format: $(VENV)/dev.stamp ## Format the code
	$(BIN)/ruff format

# The generators of the protocol are no part of the floor: they need a newer protobuf than playing does.
test-floor: build/floor/stamp ## Run the suite with the lowest versions that pyproject.toml allows
	build/floor/bin/pytest -n auto --dist loadfile --no-loadscope-reorder --ignore tests/protocol/test_generated_code.py $(ARGS)

test-wheel: $(VENV)/dev.stamp ## Build the wheel and try it in an environment of its own
	rm -rf build/wheel dist
	$(BIN)/python $(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	$(BIN)/python -m venv build/wheel
	build/wheel/bin/python $(PIP) install --require-hashes --requirement requirements/run.txt
	build/wheel/bin/python $(PIP) install --no-deps dist/*.whl
	build/wheel/bin/python tools/check_wheel.py dist/*.whl

test-gate: $(VENV)/dev.stamp ## Measure how often `arena compare` errs, on deals that are played for it (ARGS="--series 1000")
	PYTHONPATH=tests $(BIN)/python -m gate $(ARGS)

fuzz: $(VENV)/dev.stamp ## Spoil input for a minute a reader, and keep what is found (ARGS="--seconds 600 --seed 7")
	PYTHONPATH=tests $(BIN)/python -m fuzz $(ARGS)

kill-test: $(VENV)/dev.stamp ## Kill a real series a hundred times, and compare (Linux; ARGS="--kills 20 --seed 7")
	PYTHONPATH=tests $(BIN)/python -m kills $(ARGS)

soak: $(VENV)/dev.stamp ## Play 100,000 hands with a bot that misbehaves at random (Linux; ARGS="--hands 10000")
	PYTHONPATH=tests $(BIN)/python -m soak $(ARGS)

bench: $(VENV)/dev.stamp ## Measure the arena beside what the machine could carry, in one table
	$(BIN)/python -m benchmarks $(ARGS)

bench-stats: $(VENV)/dev.stamp ## Measure how many independent hands a mirrored one is worth, luck judged or not (ARGS="--groups 500")
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.stats $(ARGS)

bench-peers: build/peers/stamp ## The same with OpenSpiel's bots, in an environment of its own
	build/peers/bin/python -m benchmarks --peers $(ARGS)

lock: $(VENV)/dev.stamp ## Lock the dependencies anew (ARGS=--upgrade takes the newest)
	$(UV_COMPILE) $(EXTRAS) --group dev --output-file requirements/dev.txt $(ARGS)
	$(UV_COMPILE) --extra server --extra statistics --group build --constraint requirements/dev.txt --output-file requirements/run.txt
	$(UV_COMPILE) --group build --group peers --constraint requirements/dev.txt --output-file requirements/peers.txt
	$(UV_COMPILE) $(EXTRAS) --group build --group test --resolution lowest-direct --output-file requirements/floor.txt

clean: ## Remove what was built and cached; runs/ and the environment stay
	rm -rf build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

# --- environments -----------------------------------------------------------------------------------------------

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Gin Arena needs Python 3.11 or newer, and $(PYTHON) is: $$($(PYTHON) --version 2>&1 | head -n 1)." \
			"Install one and name it: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
		echo "$(PYTHON) has no venv module. On Debian and Ubuntu: apt install python3-venv" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/%.stamp: requirements/%.txt pyproject.toml | $(BIN)/python
	@echo "Installing $< and the arena into $(VENV)"
	@$(BIN)/python $(PIP) install --require-hashes --requirement $<
	@$(BIN)/python $(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

build/%/stamp: requirements/%.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m venv build/$*
	build/$*/bin/python $(PIP) install --require-hashes --requirement $<
	build/$*/bin/python $(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@
