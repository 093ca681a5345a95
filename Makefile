# The few commands of this project. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
DEMO_STAMP := $(VENV)/.demo-ready
DEV_STAMP := $(VENV)/.dev-ready
NODE_STAMP := tests/node/node_modules/.ready
PIN := uv pip compile -q --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 --upgrade
WEB_PAGE := src/mummer/grid/page/viewer.js

.PHONY: help demo test test-slow lint types contract docs check wheel bench pins setup-demo setup second-reader web clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

demo: $(DEMO_STAMP)  ## set up and perform: leaves an animated .glb and a contact sheet in out/
	@$(BIN)/mummer demo --output out

test: setup  ## set up and run the tests
	$(BIN)/python -m pytest -n auto --dist worksteal

test-slow: setup  ## the long studies as well
	$(BIN)/python -m pytest -n auto --dist worksteal -m "slow or not slow"

lint: $(DEV_STAMP)  ## style
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(DEV_STAMP)  ## types, strictly
	$(BIN)/mypy

contract: $(DEV_STAMP)  ## which package may import which
	$(BIN)/lint-imports

docs: $(DEV_STAMP)  ## build the documentation into site/, warnings are errors
	$(BIN)/zensical build --clean --strict

check: lint types contract test  ## everything that CI runs

wheel: setup  ## try the wheel in clean environments of every Python that is here, with every extra
	./scripts/check-wheel

bench: $(DEV_STAMP) $(NODE_STAMP)  ## time the kernels beside their peers
	$(BIN)/python -m benchmarks

pins: ## renew the pinned requirements from pyproject.toml
	$(PIN) --extra video --group build -o requirements/demo.txt pyproject.toml
	$(PIN) --extra all --group build --group dev -o requirements/dev.txt pyproject.toml
	$(PIN) --group node -o requirements/node.txt

setup-demo: $(DEMO_STAMP)
setup: $(DEV_STAMP) $(NODE_STAMP) $(WEB_PAGE)

$(DEMO_STAMP): requirements/demo.txt pyproject.toml
	@PYTHON=$(PYTHON) ./scripts/setup demo && touch $@

$(DEV_STAMP): requirements/dev.txt pyproject.toml
	@PYTHON=$(PYTHON) ./scripts/setup dev && touch $@ $(DEMO_STAMP)

$(NODE_STAMP): tests/node/package-lock.json tests/browser/package-lock.json | $(DEV_STAMP)
	@./scripts/setup node && mkdir -p $(@D) && touch $@

web: $(WEB_PAGE)  ## build the page of `mummer view` and `mummer grid`

$(WEB_PAGE): web/package-lock.json web/vite.config.ts $(shell find web/src -type f 2>/dev/null) | $(DEMO_STAMP)
	@./scripts/setup web

second-reader: .venv-blender/bin/python  ## install Blender as a module (Python 3.11), which the slow tests compare with

.venv-blender/bin/python:
	$(PYTHON) -m venv .venv-blender && .venv-blender/bin/pip install --quiet --disable-pip-version-check bpy==5.0.1

clean:  ## remove what the targets made
	rm -rf $(VENV) out site tests/node/node_modules tests/browser/node_modules web/node_modules $(dir $(WEB_PAGE)) .mypy_cache .ruff_cache .pytest_cache
