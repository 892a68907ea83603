#!/usr/bin/env bash
# Takes far longer than its timeout of 400 ms, so its output is ignored. The sleep that it starts is ended with it.
sleep 30
echo '{"decision": "deny", "reason": "Found something, half a minute later."}'
