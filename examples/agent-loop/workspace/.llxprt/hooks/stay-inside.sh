#!/usr/bin/env bash
# Denies a write whose path lies outside the project directory: exit code 2 blocks, stderr says why.
set -euo pipefail

# Bash cannot read JSON, so python does, and resolves the path: `..`, and links, those that point nowhere yet included.
paths=$(python3 -c '
import json, os, sys
path = json.load(sys.stdin)["tool_input"]["path"]
print(os.path.realpath(os.path.join(os.environ["LLXPRT_PROJECT_DIR"], path)))
print(path)
')
target=${paths%%$'\n'*}
given=${paths#*$'\n'}
root=$(cd "$LLXPRT_PROJECT_DIR" && pwd -P)

if [[ $target != "$root"/* ]]; then
  echo "$given is outside the project directory. Use a relative path below it." >&2
  exit 2
fi
