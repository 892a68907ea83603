#!/usr/bin/env python3
"""Before the history is compressed: saves the tool calls so far, which the agent's summary may leave out."""

import json
import os
import sys

calls = []
with open(json.load(sys.stdin)["transcript_path"], encoding="utf-8") as transcript:
    for line in transcript:
        for part in json.loads(line).get("parts", []):
            if "functionCall" in part:
                call = part["functionCall"]
                calls.append(f"{call['name']} {call['args'].get('path') or call['args'].get('command')}")

with open(os.path.join(os.environ["LLXPRT_PROJECT_DIR"], ".llxprt/history.md"), "w", encoding="utf-8") as history:
    history.writelines(f"- {call}\n" for call in calls)
print(f"{len(calls)} tool calls are kept in .llxprt/history.md.")
