#!/usr/bin/env bash
# Denies a write to a path outside the project directory: exit code 2 blocks, stderr is the reason.
set -euo pipefail

# Bash cannot read JSON, so Python reads it and resolves the path: `..` and links, including links without a target.
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
