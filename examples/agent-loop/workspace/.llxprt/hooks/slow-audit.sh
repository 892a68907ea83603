#!/usr/bin/env bash
# Far slower than its timeout of 400 ms. Its output would come too late. The sleep that it started is ended with it.
sleep 30
echo '{"decision": "deny", "reason": "Found something, half a minute later."}'
