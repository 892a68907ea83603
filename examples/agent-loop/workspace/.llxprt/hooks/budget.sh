#!/usr/bin/env bash
# Counts the calls of the model, one line each, and stops the agent after the last one that $BUDGET allows.
set -euo pipefail
count=$LLXPRT_PROJECT_DIR/.llxprt/model-calls

date +%T >> "$count"
if (( $(wc -l < "$count") > BUDGET )); then
  # "continue": false ends the whole agent and does not only deny this call. The user reads the reason.
  echo "{ \"continue\": false, \"stopReason\": \"The session has used up its $BUDGET calls of the model.\" }"
fi
