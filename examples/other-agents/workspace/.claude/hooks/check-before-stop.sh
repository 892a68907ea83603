#!/usr/bin/env bash
# Stop: Claude is not done while the check fails. One that was sent on already may stop, or it would never end.
[[ $(jq -r '.stop_hook_active') == true ]] && exit 0

if ! problems=$(node "$CLAUDE_PROJECT_DIR"/scripts/check.mjs 2>&1); then
  jq -n --arg problems "$problems" '{decision: "block", reason: "The check fails: \($problems)"}'
fi
