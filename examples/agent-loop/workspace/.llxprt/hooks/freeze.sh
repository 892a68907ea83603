#!/usr/bin/env bash
# While the project has a file FREEZE, the model may only read. The agent also refuses a call that the model makes anyway.
if [[ -e $LLXPRT_PROJECT_DIR/FREEZE ]]; then
  echo '{ "hookSpecificOutput": { "toolConfig": { "mode": "AUTO", "allowedFunctionNames": ["read_file"] } } }'
fi
