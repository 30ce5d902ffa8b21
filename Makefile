# Development tasks of War Diary; `make help` lists them. They need only Python 3.11 or newer and make.

VENV := .venv
BIN := $(VENV)/bin
# The interpreter for the environment; by default the first suitable one: make setup PYTHON=python3.12
PYTHON ?=
# Workers for the tests; JOBS=0 runs them in one process, for a debugger.
JOBS ?= auto
# Additional arguments for pytest, for example: make test PYTEST_ARGS='tests/project -x'
PYTEST_ARGS ?=
# What `make quick` runs.
QUICK ?= tests/events tests/projections tests/core/games/battle
# The load of `make soak`: short, long, or a multiple of that of `make test`.
BUDGET ?= long
# Additional arguments for the benchmarks, for example: make bench BENCH_ARGS='--json'
BENCH_ARGS ?=

# Additional arguments for the mutants, for example: make mutants MUTANTS_ARGS='--sample 1000 events projections'
MUTANTS_ARGS ?=

# What `make bench` measures: build/compiled, or . for the source as it is.
BUILD ?= build/compiled
COMPILED := $(if $(filter $(abspath build/compiled),$(abspath $(BUILD))),compiled)

# The store that `make web` fills if it does not exist, and additional arguments: make web WEB_ARGS='--listen 0.0.0.0:8042'
SAMPLES ?= $(VENV)/samples/matches.db
WEB_ARGS ?=

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
# Byte code is kept, whatever the environment says: the tests start hundreds of processes, which would compile all code again.
unexport PYTHONDONTWRITEBYTECODE

# An environment is created again if its folder was moved, if its interpreter is gone or is not the requested one,
# or if its last set-up was interrupted, because a killed installer may leave incomplete packages.
ifneq ($(shell $(BIN)/python -c '' 2>/dev/null && test ! -e $(VENV)/.unfinished && cat $(VENV)/.home),$(CURDIR))
.PHONY: $(VENV)/.home
else ifneq ($(PYTHON),)
ifneq ($(shell $(PYTHON) --version 2>&1),$(shell $(BIN)/python --version))
.PHONY: $(VENV)/.home
endif
endif

.DEFAULT_GOAL := help
.PHONY: help demo web cluster test browser quick setup check fmt bench compiled wheel gate ledger mutants soak golden pictures lock clean

help: ## List these targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

demo: setup ## Play, follow, replay, fork and audit a match.
	$(BIN)/wardiary demo
	@echo 'To play yourself, in a browser, against a bot: $(BIN)/wardiary play battle'

web: setup ## Serve pages with a finished and a running match of each game (WEB_ARGS).
	$(BIN)/python -m tests.support.sample_matches $(SAMPLES)
	$(BIN)/wardiary web --store $(SAMPLES) $(WEB_ARGS)

cluster: setup ## Run three NATS servers, which are removed afterwards, to try a store on them.
	$(BIN)/python -m tests.support.nats_server

# All tests need a browser; a choice of tests gets none by itself.
test: setup $(if $(PYTEST_ARGS),,browser) ## Run every test (JOBS, PYTEST_ARGS).
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

browser: setup ## Get a browser for the tests of the pages, if there is none.
	$(BIN)/python -m tests.support.chromium

quick: setup ## Run the unit tests and one game's, in under a minute (QUICK, JOBS).
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(QUICK) $(PYTEST_ARGS)

setup: $(VENV)/.ready ## Prepare .venv with the locked dependencies (PYTHON).

check: setup ## Check format, lint, types and import contracts.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports --no-logo

fmt: setup ## Format the code and sort its imports.
	$(BIN)/ruff check --select I --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.bench $(COMPILED) ## Measure against the raw limits and the peers (BENCH_ARGS, BUILD).
	@test -f '$(BUILD)/tests/bench/run.py' || { echo "BUILD is build/compiled or ., not '$(BUILD)'" >&2; exit 2; }
	$(BIN)/python $(BUILD)/tests/bench/run.py $(BENCH_ARGS)

compiled: setup ## Keep a compiled copy in build/compiled; needs a C compiler.
	$(BIN)/python cli/distribution/compiling.py

wheel: setup ## Make a wheel with compiled code in dist; needs a C compiler.
	WARDIARY_COMPILED=1 $(BIN)/python -m hatchling build --target wheel

gate: compiled ## Run the tests on the compiled copy (JOBS, PYTEST_ARGS).
	cd build/compiled && PYTHONPATH=$$PWD:$$PWD/cli/distribution $(CURDIR)/$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --ignore tests/project -m 'not interpreted' $(PYTEST_ARGS)

ledger: setup ## Print how often the tests cover each rule; fail if one is not covered (JOBS).
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal tests/core tests/server/test_simulation.py --ledger $(PYTEST_ARGS)

mutants: setup ## Put faults into the kernel and list those that no test notices (MUTANTS_ARGS).
	nice $(BIN)/python tests/mutants/run.py $(MUTANTS_ARGS)

soak: $(VENV)/.bench ## Run the scalable and the long tests (BUDGET: short, long or a number).
	nice $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m 'soak or long' --budget $(BUDGET) $(PYTEST_ARGS)

golden: setup ## Write golden matches, counts, outputs and generated pages again.
	$(BIN)/python -m tests.support.golden
	$(BIN)/python -m tests.core.test_perft
	$(BIN)/python -m tests.cli.golden
	$(BIN)/python -m tests.support.protocol_tables
	$(BIN)/python -m tests.support.component_pages
	$(BIN)/python -m tests.support.game_cards

pictures: setup browser ## Take the pictures of the README again.
	$(BIN)/python -m tests.support.pictures docs/pictures

lock: $(VENV)/.home ## Regenerate the lock files from pyproject.toml.
	$(BIN)/python -m pip install --quiet 'uv>=0.5'
	$(BIN)/uv pip compile pyproject.toml --extra table --extra pictures --extra web --extra notify --extra timestamps --extra cluster --extra metrics --extra mcp --extra postgres --extra learn --group dev $(LOCK_FLAGS) --output-file requirements.lock
	$(BIN)/uv pip compile --group bench --constraints requirements.lock $(LOCK_FLAGS) --output-file requirements-bench.lock

LOCK_FLAGS := --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command 'make lock' --quiet

clean: ## Remove the environment, caches and build products.
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# While packages are installed, .unfinished holds the id of the make that does it.
BEGIN = @echo $$PPID > $(VENV)/.unfinished
END = @rm -f $(VENV)/.unfinished && touch $@

$(VENV)/.home:
	@other=$$(cat $(VENV)/.unfinished 2>/dev/null); \
	if [ -n "$$other" ] && kill -0 "$$other" 2>/dev/null; then \
		echo "Another make (process $$other) is preparing $(VENV); try again when it is done." >&2; \
		exit 1; \
	fi
	@python='$(PYTHON)'; \
	enough='import sys; sys.exit(sys.version_info < (3, 11))'; \
	if [ -z "$$python" ]; then \
		for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
			if "$$candidate" -c "$$enough" >/dev/null 2>&1; then python="$$candidate"; break; fi; \
		done; \
	fi; \
	if [ -z "$$python" ] || ! "$$python" -c "$$enough" >/dev/null 2>&1; then \
		echo "War Diary needs Python 3.11 or newer, and '$${python:-python3}' is not. Name one: make setup PYTHON=python3.12" >&2; \
		exit 1; \
	fi; \
	rm -rf $(VENV); \
	"$$python" -m venv $(VENV) || { \
		rm -rf $(VENV); \
		echo "This Python cannot make virtual environments; some systems ship that separately, as python3-venv." >&2; \
		exit 1; \
	}
	@printf '%s\n' '$(CURDIR)' > $@

$(VENV)/.locked: $(VENV)/.home requirements.lock
	$(BEGIN)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(END)

$(VENV)/.ready: $(VENV)/.locked pyproject.toml
	$(BEGIN)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(END)

$(VENV)/.bench: $(VENV)/.ready requirements-bench.lock
	$(BEGIN)
	$(BIN)/python -m pip install --quiet --require-hashes --no-build-isolation --requirement requirements-bench.lock
	$(END)
