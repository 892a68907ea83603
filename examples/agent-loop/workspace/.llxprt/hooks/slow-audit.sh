#!/usr/bin/env bash
# Far slower than its timeout of 400 ms. What it would say comes too late, and the sleep it started is ended with it.
sleep 30
echo '{"decision": "deny", "reason": "Found something, half a minute later."}'
