import json
import sys

event = json.load(sys.stdin)
if event["stop_hook_active"] or "Summary" in event["prompt_response"]:
    print(json.dumps({"decision": "allow"}))
else:
    print("End with a Summary.", file=sys.stderr)
    sys.exit(2)
