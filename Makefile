# Targets for users and contributors: `make run` to try it, `make test` to test it.
#
# Setup is remembered by stamp files inside .venv, so a second call only does what changed.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Lint, Rust and Python tests each use every core already, and pytest must report last.
.NOTPARALLEL:

# Outside the checkout, so that clean clones share compiled dependencies.
export CARGO_TARGET_DIR ?= $(HOME)/.cache/astrarium/target
# rustup installs here, but a shell opened before that does not know it yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

# .cargo/config.toml asks for a processor with AVX2; an older machine builds for itself.
ifeq ($(shell uname -sm),Linux x86_64)
ifeq ($(shell grep -m1 -cw avx2 /proc/cpuinfo),0)
export RUSTFLAGS ?= -C target-cpu=native
endif
endif

PYTHON_VERSIONS ?= >=3.11,<3.15
BIN := .venv/bin
STAMPS := .venv/stamps
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
# maturin and uv look for the environment here when it is not activated.
export VIRTUAL_ENV := $(CURDIR)/.venv

# A private uv is installed under .cache where the machine has none.
UV := $(shell command -v uv 2>/dev/null || echo .cache/uv/bin/uv)
WEB_SOURCES := $(shell find web/src web/public web/index.html web/vite.config.ts -type f 2>/dev/null)
RUST_SOURCES := Cargo.toml Cargo.lock $(shell find crates -type f 2>/dev/null)

.PHONY: help run serve web wheel c-lib openapi test lint bench bench-learn experiment test-long fuzz setup lock public-names \
        format lint-python lint-rust test-rust test-web test-browser test-python chromium need-cargo

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile

run: setup ## Train for about a minute, then compare the policy with the scripted bots
	@$(BIN)/astrarium tour

test: lint test-rust test-web test-browser test-python ## Lint, types and every quick test: Rust, web, browser, Python

lint: lint-python lint-rust ## Style and types: ruff, pyright strict, clippy, rustfmt

serve: setup web ## Watch, play and analyse in a browser
	@$(BIN)/astrarium serve

web: web/dist/index.html ## Build the web app that `astrarium serve` shows

web/dist/index.html: web/node_modules/.installed $(WEB_SOURCES)
	@if command -v npm >/dev/null; then cd web && npm run build; \
	else echo "the web app is not built: Node 20 or later with npm is needed"; fi

# Not `npm ci`: it refuses a lock without the compilers of every other platform.
web/node_modules/.installed: web/package-lock.json
	@if command -v npm >/dev/null; then \
	    cd web && npm install --no-save --no-audit --no-fund && touch node_modules/.installed; fi

# The pages lie beside the server in the package, as they will where the wheel is installed. On
# x86-64 the extension is built twice, and the import chooses by processor. Zig links against an old
# C library, so that the wheel runs on every Linux since 2018 (manylinux_2_28).
PACKED := python/astrarium/serve/app
FAST_BUILD := python/astrarium/x86_64_v3
WHEEL := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/maturin build --release --locked --zig --compatibility manylinux_2_28
wheel: need-cargo $(STAMPS)/requirements web ## Build the wheel and the source package into dist/
	@test -f web/dist/index.html || { echo "a wheel needs the web app, and that needs Node" >&2; exit 1; }
	@$(UV) pip install --quiet --require-hashes -r requirements-wheel.lock
	@trap 'rm -rf $(PACKED) $(FAST_BUILD)' EXIT; rm -rf $(PACKED) $(FAST_BUILD) dist/astrarium*; \
	cp -r web/dist $(PACKED); \
	$(BIN)/maturin sdist --out dist; \
	if test "$$(uname -sm)" = "Linux x86_64"; then \
	    fast=$$(mktemp -d); mkdir $(FAST_BUILD); \
	    RUSTFLAGS="-C target-cpu=x86-64-v3" $(WHEEL) --out $$fast; \
	    $(BIN)/python -m zipfile -e $$fast/*.whl $$fast; \
	    cp $$fast/astrarium/_native.abi3.so $(FAST_BUILD)/; rm -rf $$fast; \
	    RUSTFLAGS="-C target-cpu=x86-64" $(WHEEL) --target-dir $(CARGO_TARGET_DIR)/baseline --out dist; \
	else $(BIN)/maturin build --release --locked --out dist; fi

# Baseline code, so that the library runs on every processor of its kind.
C_LIB := dist/c-lib
C_CRATE := crates/prospector-c
C_FLAGS := $(if $(filter x86_64,$(shell uname -m)),-C target-cpu=x86-64)
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
c-lib: need-cargo ## Build Prospector's C library into dist/c-lib: header, libraries, trace runner
	RUSTFLAGS="$${RUSTFLAGS:-$(C_FLAGS)}" cargo build --locked --release --quiet \
	    -p astrarium-prospector-c --target-dir $(CARGO_TARGET_DIR)/baseline
	@rm -rf $(C_LIB); mkdir -p $(C_LIB)/{include,bin,lib/pkgconfig,share/prospector}; \
	built=$(CARGO_TARGET_DIR)/baseline/release; \
	cp $(C_CRATE)/include/prospector.h $(C_LIB)/include; \
	cp $$(ls $$built/libprospector.{a,so,dylib} 2>/dev/null) $(C_LIB)/lib; \
	cp $$built/prospector-trace $(C_LIB)/bin; \
	cp $(C_CRATE)/examples/episode.c $(C_LIB)/share/prospector; \
	sed 's/@VERSION@/$(VERSION)/' $(C_CRATE)/prospector.pc.in > $(C_LIB)/lib/pkgconfig/prospector.pc; \
	echo "built $(C_LIB); docs/c.md says how to link it"

openapi: setup ## Accept the present API as the published one
	$(BIN)/python tests/api/test_openapi.py

bench: setup ## Measure the worlds on this machine
	@$(BIN)/astrarium bench worlds

# SEEDS=5 trains five times, for an interval over runs. A policy with memory needs a GPU to get far
# in ten minutes; without one, the plain policy is given longer.
SEEDS ?= 1
LONGER := $(if $(shell command -v nvidia-smi),--preset prospector-v2-memory, \
    --run.total-env-steps 45000000 --run.window-env-steps 2500000)
bench-learn: setup ## Train for about ten minutes and compare with the planner, the ceiling
	@$(BIN)/astrarium tour --seeds $(SEEDS) $(LONGER) --json bench-reports/learn.json

# Policies that are trained already are taken as they are, and a training that was stopped goes on.
# Every trial that is finished stays so, and the same command goes on.
GROWN := experiments/policies
LEARNT := $(GROWN)/digits $(GROWN)/textures
experiment: setup $(LEARNT) ## Does growth pay? Train Esper's policies, run every arm, write the pages (hours)
	@$(BIN)/astrarium esper experiment digits_impaired textures_impaired --seeds 20 --first-seed 4000 --twice \
	    --policies $(LEARNT) --root experiments/impaired
	@$(BIN)/astrarium esper experiment digits_baseline --seeds 20 --twice \
	    --arms host_only random_growth heuristic heuristic_probe --root experiments/baseline
	@$(BIN)/astrarium esper experiment copy_lm --seeds 20 --twice \
	    --arms host_only random_growth heuristic_probe --root experiments/copying

# What is learnt on digits is carried to textures. The rates of the second half on digits are those
# of the preset for textures, which begins with the same policy.
.PHONY: $(GROWN)/digits-first $(LEARNT)
$(GROWN)/digits-first: setup
	@$(call learn,esper-digits-impaired-v1)

$(GROWN)/digits: $(GROWN)/digits-first
	@$(call learn,esper-digits-impaired-v1 --init-from $< \
	    --run.total-env-steps 38400 --ppo.learning-rate 1e-3 --ppo.final-learning-rate 1e-4 \
	    --ppo.entropy-coef 0.03 --ppo.final-entropy-coef 0.004)

$(GROWN)/textures: $(GROWN)/digits-first
	@$(call learn,esper-textures-impaired-v1 --init-from $<)

# The folder of a run is there from its first moment, so it does not say that the policy is learnt.
define learn
if grep -qs '"status": "completed"' $@/run_metadata.json; then echo "$@ is trained"; \
	elif test -e $@; then $(BIN)/astrarium train --resume $@; \
	else $(BIN)/astrarium train $(1) --root $(GROWN) --run.id $(@F); fi
endef

# An ignored Rust test counts as a long one; without any, cargo has nothing to do here. Status 5
# is pytest's way of saying that no test is marked long.
test-long: setup web chromium ## The tests that take minutes
	@if grep -rqs --include='*.rs' '#\[ignore' crates; then \
	    cargo test --locked --workspace --exclude astrarium-native -- --ignored; fi
	$(BIN)/pytest tests/browser -m long
	$(BIN)/pytest -n 2 -m long || test $$? -eq 5

fuzz: need-cargo ## Feed the snapshot reader mutated bytes for a minute (nightly Rust)
	@cargo +nightly fuzz --version >/dev/null 2>&1 || { \
	    echo "make fuzz needs nightly Rust and cargo-fuzz:"; \
	    echo "  rustup toolchain install nightly && cargo install cargo-fuzz"; exit 1; } >&2
	cd fuzz && cargo +nightly fuzz run snapshot -- -max_total_time=60

setup: need-cargo $(STAMPS)/requirements $(STAMPS)/native ## Create .venv, install pinned packages, build the extension

format: $(STAMPS)/requirements need-cargo ## Format the sources
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	cargo fmt --all

lock: $(UV) ## Resolve pyproject.toml into the requirements files
	$(COMPILE) pyproject.toml --all-extras -o requirements.lock
	$(COMPILE) pyproject.toml --all-extras --group dev -o requirements-dev.lock
	$(COMPILE) --group wheel -o requirements-wheel.lock

# Index lines stay out: a lock must install from whichever mirror the reader has.
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-annotate --custom-compile-command 'make lock'

public-names: setup ## Accept the present public names as the promised ones
	$(BIN)/python tests/house/test_public_names.py

# The config is named, or a stray pyrightconfig.json in a parent folder would be obeyed instead.
lint-python: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright -p pyproject.toml

lint-rust: $(STAMPS)/requirements need-cargo
	@cargo clippy --version >/dev/null 2>&1 && cargo fmt --version >/dev/null 2>&1 || { \
	    echo "clippy or rustfmt is missing: rustup component add clippy rustfmt" >&2; exit 1; }
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings

test-rust: need-cargo
	cargo test --locked --quiet --workspace --exclude astrarium-native

test-web: web/node_modules/.installed
	@if command -v npm >/dev/null; then cd web && npm run check; \
	else echo "the web app is not tested: Node 20 or later with npm is needed"; fi

test-python: setup web
	$(BIN)/pytest -n 2 -m "not long"

# In a process of their own: the browser's driver leaves an event loop running there.
test-browser: setup web chromium
	$(BIN)/pytest tests/browser -m "not long"

# Without the right to install it, tests in the browser are skipped, with that reason.
chromium:
	@if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then \
	    if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
	        echo "installing chromium for the tests in a browser"; \
	        apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	            apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	    else echo "the web app is not tested in a browser: install chromium"; fi; fi

need-cargo:
	@command -v cargo >/dev/null || { \
	    echo "Rust is missing: install it with rustup (https://rustup.rs), then run make again" >&2; \
	    exit 1; }
	@command -v cc >/dev/null || { \
	    echo "A C compiler is missing: install gcc (Debian: apt install gcc), then run make again" >&2; \
	    exit 1; }

# --target sidesteps distributions that refuse a plain `pip install`.
.cache/uv/bin/uv:
	@echo "installing uv"
	@python3 -m pip --version >/dev/null 2>&1 || { \
	    echo "uv is missing and so is pip: install either (Debian: apt install python3-pip)," >&2; \
	    echo "then run make again" >&2; exit 1; }
	@python3 -m pip install --quiet --disable-pip-version-check \
	    --root-user-action=ignore --target .cache/uv uv

# A whole uv, found on the PATH, has no recipe and is never out of date.
$(STAMPS)/requirements: requirements-dev.lock | $(UV)
	@test -x $(BIN)/python || $(UV) venv --quiet --python '$(PYTHON_VERSIONS)' .venv
	@echo "installing the pinned Python packages"
	@$(UV) pip install --quiet --require-hashes -r requirements-dev.lock
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/native: $(RUST_SOURCES) pyproject.toml $(STAMPS)/requirements | need-cargo
	@echo "building the extension (about a minute the first time)"
	@PATH="$(dir $(UV)):$$PATH" $(BIN)/maturin develop --uv --release --locked --quiet
	@touch $@
