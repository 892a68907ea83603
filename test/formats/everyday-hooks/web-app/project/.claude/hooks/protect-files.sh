#!/usr/bin/env bash
set -euo pipefail

FILE_PATH=$(jq -r '.tool_input.file_path // empty')
[ -z "$FILE_PATH" ] && exit 0

for pattern in ".env" "pnpm-lock.yaml" ".git/"; do
  if [[ "$FILE_PATH" == *"$pattern"* ]]; then
    echo "Blocked: $(basename "$FILE_PATH") matches protected pattern '$pattern'" >&2
    exit 2
  fi
done
exit 0
