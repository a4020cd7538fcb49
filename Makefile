# Every target sets up what it needs; a machine with Python 3.11 or later and make is enough.
# Another interpreter: make test PYTHON=/path/to/python3.12

VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= 2
export PYTHON

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-postgres clients soak check format bench bench-check corpus history docs golden clean distclean

help:
	@echo "make demo       move a function in a bundled Rust crate and see what happens"
	@echo "make test       the whole test suite (minutes)"
	@echo "make test-fast  without the slow tests (under a minute)"
	@echo "make test-postgres  the tests of a log on a server, on a private one started for them"
	@echo "make clients    install the foreign MCP clients that tests/clients tries (npm, an older Python SDK)"
	@echo "make soak       the long forms: a thousand kills, long property runs, eight agents for half an hour (M1ND_SOAK_MINUTES)"
	@echo "make check      formatting, lint, types, layer contracts, generated documents, names in documents"
	@echo "make bench      the benchmarks, each against its bound in the same run"
	@echo "make corpus     moves tried on real crates, the compiler as judge (ARGS='--crates a,b --moves 20 --kinds struct')"
	@echo "make bench-check  the same, compared with the committed figures"
	@echo "make history    fifty thousand generated events, folded every way (ARGS='--events N --seed N')"
	@echo "make docs       write the generated parts of docs/ again"
	@echo "make golden     write this version's golden log, its views and the list of topics again"
	@echo "make clean      remove caches and build results (make distclean: the environment too)"

$(READY): pyproject.toml scripts/setup.sh
	@sh scripts/setup.sh $(VENV) test,check,postgres
	@touch $@

demo: $(READY)
	@$(BIN)/m1nd demo

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) $(PYTEST)

test-fast: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow and not cargo and not soak" $(PYTEST)

test-postgres: $(READY)
	$(BIN)/python -m pytest -m postgres $(PYTEST)

clients: $(READY)
	sh scripts/clients.sh $(BIN)/python

soak: $(READY)
	M1ND_SOAK=1 $(BIN)/python -m pytest -n $(JOBS) -m soak $(PYTEST)

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/docs.py --check
	$(BIN)/m1nd --root . --read-only memory drift docs README.md CHANGELOG.md

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	@sh scripts/setup.sh $(VENV) test,check,postgres,bench
	$(BIN)/python -m benchmarks.run $(ARGS)

bench-check: $(READY)
	$(BIN)/python -m benchmarks.run --check $(ARGS)

corpus: $(READY)
	$(BIN)/python benchmarks/corpus.py $(ARGS)

history: $(READY)
	$(BIN)/python scripts/long_history.py $(ARGS)

docs: $(READY)
	$(BIN)/python scripts/docs.py

golden: $(READY)
	$(BIN)/python scripts/golden_log.py

clean:
	rm -rf build dist .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV) src/m1nd.egg-info
