#!/usr/bin/env python3
"""Rewrites what a tool is about to write: the value of whatever looks like a secret becomes [REDACTED]."""

import json
import re
import sys

SECRETS = [
    re.compile(r"\bsk-[A-Za-z0-9_-]{16,}"),  # API keys
    re.compile(r"\bgh[pousr]_[A-Za-z0-9]{20,}"),  # GitHub tokens
    re.compile(r"\bAKIA[0-9A-Z]{16}\b"),  # AWS access keys
]

content = json.load(sys.stdin)["tool_input"].get("content", "")
redacted = content
for secret in SECRETS:
    redacted = secret.sub("[REDACTED]", redacted)

# Printing nothing is having no opinion. What is returned is merged onto the tool's input, so the path stays.
if redacted != content:
    print(json.dumps({"hookSpecificOutput": {"tool_input": {"content": redacted}}}))
