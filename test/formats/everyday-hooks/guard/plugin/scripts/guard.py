import argparse
import json
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--level", type=int, default=1)
level = parser.parse_args().level

data = json.load(sys.stdin)
command = data["tool_input"]["command"]
answer = None
if "curl" in command and "| sh" in command:
    answer = ("deny", "Read what you download first.")
elif level > 1 and command.startswith("sudo "):
    answer = ("ask", f"level {level}: sudo")
if answer:
    decision, reason = answer
    print(json.dumps({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision,
            "permissionDecisionReason": reason,
        }
    }))
