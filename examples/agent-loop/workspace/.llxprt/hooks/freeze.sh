#!/usr/bin/env bash
# While the project has a file FREEZE, the model is offered only tools that read. If it calls another tool, the agent refuses the call.
if [[ -e $LLXPRT_PROJECT_DIR/FREEZE ]]; then
  echo '{ "hookSpecificOutput": { "toolConfig": { "mode": "AUTO", "allowedFunctionNames": ["read_file"] } } }'
fi
