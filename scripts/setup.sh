#!/bin/sh
# Makes the virtual environment that every `make` target uses, on a machine that has Python 3.11 or later and nothing else.
# Usage: scripts/setup.sh VENV EXTRAS     (for example: scripts/setup.sh .venv test,check)
# PYTHON=/path/to/python chooses the interpreter.
set -eu

venv=$1
extras=$2
fit='import sys, sqlite3; sys.exit(not (3, 11) <= sys.version_info[:2] < (4, 0))'

say() { printf '%s\n' "$*" >&2; }

# The first interpreter that runs this code. A shim of a version manager may be there and still not run: so it is run.
find_python() {
    for name in ${PYTHON:-} python3.14 python3.13 python3.12 python3.11 python3 python; do
        if command -v "$name" >/dev/null 2>&1 && "$name" -c "$1" >/dev/null 2>&1; then
            command -v "$name"
            return 0
        fi
    done
    return 1
}

if ! [ -x "$venv/bin/python" ] || ! "$venv/bin/python" -c "$fit" >/dev/null 2>&1; then
    rm -rf "$venv"
    if python=$(find_python "import venv, ensurepip; $fit"); then
        say "setup: $("$python" --version 2>&1) in $venv"
        "$python" -m venv "$venv"
    elif command -v uv >/dev/null 2>&1; then
        say "setup: uv makes $venv"
        uv venv --quiet --seed --python '>=3.11' "$venv"
    elif python=$(find_python "$fit"); then
        say "setup: $python has no venv module. Install it (on Debian and Ubuntu: apt install python3-venv) or install uv."
        exit 1
    else
        say "setup: no Python 3.11 or later was found. Install one, or uv, or name one: make demo PYTHON=/path/to/python3"
        exit 1
    fi
fi

say "setup: installing m1nd and its tools (once; again when pyproject.toml changes)"
if "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable ".[$extras]"
elif command -v uv >/dev/null 2>&1; then
    uv pip install --quiet --python "$venv/bin/python" --editable ".[$extras]"
else
    say "setup: $venv has no pip, and uv is not installed. Remove $venv and try again."
    exit 1
fi
