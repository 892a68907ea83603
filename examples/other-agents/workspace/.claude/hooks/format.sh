#!/usr/bin/env bash
# PostToolUse: formats JSON that Claude wrote. Reports invalid JSON to Claude.
file=$(jq -r '.tool_input.file_path')
[[ $file == *.json ]] || exit 0

if formatted=$(jq . "$file" 2>&1); then
  printf '%s\n' "$formatted" > "$file"
else
  echo "$file is not JSON: $formatted" >&2
  exit 2
fi
