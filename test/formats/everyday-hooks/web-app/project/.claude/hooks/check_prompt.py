import json, sys

prompt = json.load(sys.stdin)["prompt"]
if "password:" in prompt.lower():
    output = {"decision": "block", "reason": "The prompt holds a password.", "suppressOutput": True}
    print(json.dumps(output, indent=2))
