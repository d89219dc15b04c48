#!/bin/sh
# Writes the pinned and hashed requirements anew from pyproject.toml: `make lock`, with uv on the path.
# Versions that constraints.txt names are kept; delete a line there to let its package move.
set -eu
cd "$(dirname "$0")/.."
cpu=sha256:6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b # PyTorch's own CPU build for Python 3.11

compile() {
    uv pip compile "$@" --constraint constraints.txt --universal --python-version 3.11 --quiet \
        --generate-hashes --no-annotate --no-header --no-emit-package boardsight
}

echo hatchling | compile pyproject.toml - --extra play --extra serve >requirements/play.txt # which builds our own package
echo mkdocs-material | compile - >requirements/docs.txt
compile pyproject.toml --extra dev |
    awk -v cuda=requirements/cuda.txt '
        BEGIN { printf "" > cuda }
        /^[a-zA-Z]/ { split_off = /^(nvidia-|cuda-|triton)/ }
        { if (split_off) print > cuda; else print }
    ' > requirements/dev.txt
sed -n 's/^\(torch==[^ ]*\).*/\1 \\/p' requirements/dev.txt >requirements/cpu.txt
echo "    --hash=$cpu" >>requirements/cpu.txt
