#!/usr/bin/env bash
# PreToolUse, for "git push" alone: others see what is pushed.
jq '{
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "ask",
    permissionDecisionReason: "\"\(.tool_input.command)\" publishes the work."
  }
}'
