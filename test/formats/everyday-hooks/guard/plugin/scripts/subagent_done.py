import json, sys
d = json.load(sys.stdin)
if not d.get("stop_hook_active") and "Sources:" not in d.get("last_assistant_message", ""):
    json.dump({"decision": "block", "reason": "Name your sources."}, sys.stdout)
