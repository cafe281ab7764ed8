# Needs Python 3.11 or later and make; everything else is set up here, in .venv and node_modules.
PYTHON ?= python3
WATCH ?= 1
BIN := .venv/bin
# Each process has a file of tests at a time, and a local AWS of its own; how many, and in which order: tests/conftest.py.
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup test tests test-fast exhaustive coverage mutation lint types deploy-local golden api recording oracle bench docs pictures lock clean

help:
	@echo "make test            lint, types, the site and every test, the real cdk deploy included"
	@echo "make test-fast       the tests that need neither the local AWS nor the network: under a minute"
	@echo "make exhaustive      every pair of faults at any two calls, and thousands of random sequences: half an hour"
	@echo "make coverage        the same, with the branches that they leave out"
	@echo "make mutation        MODULE=agent_rft_handler.job.names (or several): which small wrongs in it no test sees;"
	@echo "                     SAMPLE=15 tries that percentage of them"
	@echo "make deploy-local    cdk deploy the app of agent-rft init to an AWS on this machine, show the submitted job, and"
	@echo "                     watch it to its end, half a minute later; WATCH=0 leaves that out"
	@echo "                     KEEP=1 keeps that AWS up until Ctrl-C; APP='python3 other.py' deploys another app"
	@echo "make lint types      the two checks alone"
	@echo "make golden          write anew what is generated: template, IAM table, fault matrix, fallback models"
	@echo "make api             record the public API, at a release: what breaks it then, CHANGELOG.md must say"
	@echo "make recording       write anew what docs/cli.md shows of the command line, by a run in the local AWS"
	@echo "make oracle          run the SDK's own trainer and fail if a recording would change; RECORD=1 writes them"
	@echo "make bench           figures against the SDK and plain aws-cdk-lib; writes docs/performance.md (a quarter of an hour)"
	@echo "make docs            the site, strictly, in .cache/site; make pictures draws its pictures anew"
	@echo "make lock            resolve requirements.lock anew (needs uv)"
	@echo "make clean           remove .venv, node_modules and caches"

setup: .venv/ready node_modules/ready

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed, this is " + sys.version)'
	@echo "==> Python packages, pinned by hash (about a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off --no-deps --require-hashes -r requirements.lock
	@echo "==> This project, editable"
	$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off --quiet --no-deps --no-build-isolation -e .
	@touch $@

node_modules/ready: package-lock.json .venv/ready
	@echo "==> The CDK command line, by the Node.js that came with the Python packages"
	npm ci
	@touch $@

# The type checker and the site beside the tests: they fill the time in which those wait.
test: setup lint
	@$(MAKE) --no-print-directory --jobs 3 types docs tests

tests: setup
	@echo "==> Tests"
	$(PYTEST) -m "not exhaustive"

test-fast: setup
	$(PYTEST) -m "not deploy and not slow and not exhaustive"

exhaustive: setup
	$(PYTEST) -m exhaustive

coverage: setup
	$(PYTEST) -m "not deploy and not slow and not exhaustive" --cov

# With the lowest priority: it takes minutes for each module.
mutation: setup
	PYTHONPATH=.:tests nice -n 19 $(BIN)/python -m scripts.mutation $(if $(SAMPLE),--sample $(SAMPLE)) $(MODULE)

lint: setup
	@echo "==> Lint"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	@echo "==> Types"
	$(BIN)/mypy

deploy-local: setup
	$(BIN)/python -m agent_rft_local deploy $(if $(KEEP),--keep) $(if $(filter-out 0,$(WATCH)),--watch) $(if $(APP),--app "$(APP)")

golden: setup
	PYTHONPATH=tests $(BIN)/python tests/handler/trim_model.py
	PYTHONPATH=tests JSII_NODE=$$($(BIN)/python -c 'from agent_rft_local.local_aws import node; print(node())') \
	  $(BIN)/python tests/synth/write_golden.py
	PYTHONPATH=tests $(BIN)/python tests/lifecycle/write_matrix.py
	PYTHONPATH=tests $(BIN)/python -m docs.generate

# At a release, when its CHANGELOG.md is written: from then on tests/test_public_api.py holds the next one to it.
api: setup
	PYTHONPATH=tests $(BIN)/python tests/public_api.py

recording: setup
	PYTHONPATH=tests JSII_NODE=$$($(BIN)/python -c 'from agent_rft_local.local_aws import node; print(node())') \
	  $(BIN)/python -m cli.recording

# The SDK itself, in an environment of its own (almost a gigabyte): what it sends is what ours is compared with.
oracle: setup .venv-oracle/ready
	PYTHONPATH=tests $(BIN)/python -m oracle --sdk-python .venv-oracle/bin/python $(if $(RECORD),,--check)

.venv-oracle/ready: tests/oracle/requirements.txt
	@test -x .venv-oracle/bin/python || $(PYTHON) -m venv .venv-oracle
	.venv-oracle/bin/python -m pip install --disable-pip-version-check --quiet -r tests/oracle/requirements.txt
	@touch $@

# ONLY=submissions (or imports, synths, asset, deployments) runs a part and leaves the page as it is.
bench: setup .venv-oracle/ready
	PYTHONPATH=tests $(BIN)/python -m benchmarks --sdk-python .venv-oracle/bin/python $(if $(ONLY),--only $(ONLY))

# Strict: a warning, a link or an anchor that leads nowhere fails it.
docs: setup
	@echo "==> The site"
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict

pictures: setup
	for each in architecture deployment; do \
	  $(BIN)/mermaidx --quiet -i docs/pictures/$$each.mmd | \
	    sed 's/background-color: transparent/background-color: white/' > docs/pictures/$$each.svg; done

lock:
	uv pip compile pyproject.toml --extra cli --extra local --extra plot --group dev --group docs --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-header --no-emit-index-url --no-emit-find-links -o requirements.lock

clean:
	rm -rf .venv node_modules .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis cdk.out
