#!/bin/bash
input=$(cat)
if [ "$(echo "$input" | jq -r '.stop_hook_active')" = "true" ]; then exit 0; fi
if [ -f .needs-tests ]; then
  jq -n --arg r "Run the tests: $(cat .needs-tests)" '{decision: "block", reason: $r}'
fi
