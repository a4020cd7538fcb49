#!/bin/sh
# Installs the clients of other makers that the agent's door is tried with, pinned, into .clients/ (not in git):
# npm packages of tests/clients/package.json (among them a Node that is new enough), and an older Python SDK.
# Does again only what changed. Where Node cannot be had, says so and leaves those tests to skip with that reason.
# Usage: scripts/clients.sh PYTHON
set -eu
cd "$(dirname "$0")/.."
python=${1:-.venv/bin/python}
old_sdk="mcp==1.30.0"

mkdir -p .clients
if ! cmp -s tests/clients/package.json .clients/package.json || [ ! -d .clients/node_modules ]; then
    if command -v npm >/dev/null 2>&1; then
        echo "clients: installing the npm packages (once)" >&2
        rm -rf .clients/node_modules
        cp tests/clients/package.json .clients/package.json
        (cd .clients && npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error) ||
            { rm -f .clients/package.json; echo "clients: npm could not install them" >&2; }
    else
        echo "clients: npm is not on the path; the tests of those clients skip with that reason" >&2
    fi
fi
if [ "$(cat .clients/old-sdk 2>/dev/null)" != "$old_sdk" ]; then
    echo "clients: installing $old_sdk in an environment of its own (once)" >&2
    "$python" -m venv .clients/old
    .clients/old/bin/python -m pip install --quiet --disable-pip-version-check "$old_sdk"
    printf %s "$old_sdk" >.clients/old-sdk
fi

# A real coding agent, driven by a scripted model on loopback; an install of its own, so that its absence costs no other test.
agent="@anthropic-ai/claude-code@2.1.332"
if [ "$(cat .clients/agent/installed 2>/dev/null)" != "$agent" ] && command -v npm >/dev/null 2>&1; then
    echo "clients: installing $agent (once)" >&2
    rm -rf .clients/agent
    mkdir -p .clients/agent
    (cd .clients/agent && npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error "$agent") &&
        printf %s "$agent" >.clients/agent/installed ||
        echo "clients: npm could not install the coding agent" >&2
fi
