#!/usr/bin/env bash
# Denies a write whose path lies outside the project directory: exit code 2 blocks, stderr says why.
set -euo pipefail

# Bash cannot read JSON, so node finds the path and resolves it: `..`, and links of folders that exist.
target=$(node -e '
  const { readFileSync, realpathSync } = require("node:fs");
  const { basename, dirname, join, resolve } = require("node:path");
  const real = (path) => {
    try {
      return realpathSync(path);
    } catch {
      return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
    }
  };
  const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
  if (typeof tool_input.path === "string") process.stdout.write(real(resolve(process.env.LLXPRT_PROJECT_DIR, tool_input.path)));
')
root=$(cd "$LLXPRT_PROJECT_DIR" && pwd -P)

if [[ -z $target ]]; then
  echo "The write names no path." >&2
  exit 2
fi
if [[ $target != "$root"/* ]]; then
  echo "$target is outside the project directory. Write below it, with a relative path." >&2
  exit 2
fi
