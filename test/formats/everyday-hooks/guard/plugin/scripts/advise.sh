#!/usr/bin/env bash
error=$(jq -r '.error // ""')
case "$error" in
  *EADDRINUSE*)
    cat <<EOF
{"hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": "Another server uses the port."}}
EOF
    ;;
esac
