#!/usr/bin/env bash
# The input is not needed.
escape() { local s="${1//\\/\\\\}"; s="${s//\"/\\\"}"; printf '%s' "${s//$'\n'/\\n}"; }
rules=$(cat "${CLAUDE_PLUGIN_ROOT}/rules.md")
printf '{\n  "hookSpecificOutput": {\n    "hookEventName": "SessionStart",\n    "additionalContext": "%s"\n  }\n}\n' "$(escape "$rules")"
