#!/usr/bin/env python3
"""After a file was read or written: tells the model what the file looks like on disk now."""

import json
import os
import sys

path = json.load(sys.stdin)["tool_input"]["path"]
try:
    with open(os.path.join(os.environ["LLXPRT_PROJECT_DIR"], path), encoding="utf-8") as file:
        text = file.read()
except OSError:
    sys.exit()  # The tool has failed, and its result reports that.

context = f"{path} has {len(text.splitlines())} lines on disk"
placeholders = text.count("[REDACTED]")
if placeholders:
    context += f", {placeholders} of them redacted: take secrets from the environment"
print(json.dumps({"hookSpecificOutput": {"additionalContext": f"{context}."}}))
