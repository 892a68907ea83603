#!/usr/bin/env bash
input=$(cat)
content=$(echo "$input" | jq -r '.tool_input.content // .tool_input.new_string // ""')
if echo "$content" | grep -qE 'api[_-]?key|password'; then
  echo "secret found" >&2
  cat <<EOF
{
  "decision": "deny",
  "reason": "Security policy: a possible secret",
  "systemMessage": "Blocked a secret"
}
EOF
  exit 0
fi
echo '{"decision": "allow"}'
exit 0
