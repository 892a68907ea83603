import json
import re
import sys

data = json.load(sys.stdin)
ti = data["tool_input"]
text = ti.get("content") or ti.get("new_string") or ""
if re.search(r"(api_key|password)\s*=\s*.\w{8,}", text):
    print(json.dumps({"decision": "block", "reason": "Secrets belong in the vault."}))
sys.exit(0)
