#!/usr/bin/env bash
# Stop: if the check fails, Claude continues. This hook makes it continue only once; otherwise Claude might never end.
[[ $(jq -r '.stop_hook_active') == true ]] && exit 0

if ! problems=$(node "$CLAUDE_PROJECT_DIR"/scripts/check.mjs 2>&1); then
  jq -n --arg problems "$problems" '{decision: "block", reason: "The check fails: \($problems)"}'
fi
