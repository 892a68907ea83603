#!/usr/bin/env bash
# At the end of a session: records one line, and resets the count for the next session.
cd "$LLXPRT_PROJECT_DIR/.llxprt" || exit
calls=$(cat model-calls 2>/dev/null | wc -l)
echo "The session wanted to call the model $((calls)) times." | tee -a sessions.log
rm -f model-calls
