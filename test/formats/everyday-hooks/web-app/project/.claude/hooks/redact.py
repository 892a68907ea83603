import json, re, sys

event = json.load(sys.stdin)
response = event["tool_response"]
clean = re.sub(r"token=\w+", "token=***", response["file"]["content"])
if clean != response["file"]["content"]:
    response["file"]["content"] = clean
    json.dump({"hookSpecificOutput": {"hookEventName": event["hook_event_name"], "updatedToolOutput": response}}, sys.stdout)
