#!/usr/bin/env bash
# Stop: Claude continues while the check fails, but only once; otherwise it might never end.
[[ $(jq -r '.stop_hook_active') == true ]] && exit 0

if ! problems=$(node "$CLAUDE_PROJECT_DIR"/scripts/check.mjs 2>&1); then
  jq -n --arg problems "$problems" '{decision: "block", reason: "The check fails: \($problems)"}'
fi
