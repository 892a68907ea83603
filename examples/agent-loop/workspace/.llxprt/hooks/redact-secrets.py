#!/usr/bin/env python3
"""Replaces likely secrets by [REDACTED]: in what a tool is about to write, and in what the model is about to receive."""

import json
import re
import sys

SECRETS = [
    re.compile(r"\bsk-[A-Za-z0-9_-]{16,}"),  # API keys
    re.compile(r"\bgh[pousr]_[A-Za-z0-9]{20,}"),  # GitHub tokens
    re.compile(r"\bAKIA[0-9A-Z]{16}\b"),  # AWS access keys
]


def redact(text):
    for secret in SECRETS:
        text = secret.sub("[REDACTED]", text)
    return text


event = json.load(sys.stdin)
if event["hook_event_name"] == "BeforeTool":
    # The returned fields are merged into the tool's input, so the path stays.
    field, before = "tool_input", {"content": event["tool_input"].get("content", "")}
    after = {"content": redact(before["content"])}
else:
    # Only the messages are returned. The other fields of the request, such as the model and its tools, stay.
    field, before = "llm_request", {"messages": event["llm_request"].get("messages", [])}
    after = {"messages": [{**message, "content": redact(message["content"])} for message in before["messages"]]}

# A hook that prints nothing has no opinion.
if after != before:
    print(json.dumps({"hookSpecificOutput": {field: after}}))
