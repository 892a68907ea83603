import json
import re

from resident import answer_events

# Compiled once for all events of a resident process.
SECRETS = re.compile(r"AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY-----")


def no_secrets(event):
    found = SECRETS.search(json.dumps(event["tool_input"]))
    if found:
        return {"output": {"decision": "deny", "reason": f"The call contains a secret: {found[0][:4]}…"}}


answer_events(no_secrets)
