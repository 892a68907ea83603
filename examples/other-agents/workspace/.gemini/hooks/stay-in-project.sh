#!/usr/bin/env bash
# BeforeTool: nothing is written outside of the project. Exit code 2 denies, stderr is the reason.
file=$(jq -r '.tool_input.file_path')

if [[ $file == *..* || ($file == /* && $file != "$GEMINI_PROJECT_DIR"/*) ]]; then
  echo "$file is outside of the project. Write below it." >&2
  exit 2
fi
echo '{}'
