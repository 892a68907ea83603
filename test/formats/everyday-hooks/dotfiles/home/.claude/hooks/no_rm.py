#!/usr/bin/env python3
import json, re, sys

try:
    data = json.load(sys.stdin)
except json.JSONDecodeError as e:
    print(f"Error: {e}", file=sys.stderr)
    sys.exit(1)

cmd = data.get("tool_input", {}).get("command", "")
PATTERNS = [
    (r"\brm\s+-[a-z]*[rf]", "use trash, not rm -rf"),
    (r">\s*/dev/sd", "no writes to devices"),
]
problems = [why for pattern, why in PATTERNS if re.search(pattern, cmd)]
if problems:
    for p in problems:
        print(f"• {p}", file=sys.stderr)
    sys.exit(2)
