#!/usr/bin/env bash
# PreToolUse, only for "git push": asks, because a push is visible to others.
jq '{
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "ask",
    permissionDecisionReason: "\"\(.tool_input.command)\" publishes the work."
  }
}'
