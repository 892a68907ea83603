# Sends nothing unless there is an address.
name=$(sed -n 's/.*"hook_event_name":"\([A-Za-z]*\)".*/\1/p')
echo "$name ${CLAUDE_CODE_SESSION_ID:-none}" > "$CLAUDE_PROJECT_DIR/$name.txt"
[ -n "$EVERYDAY_ADDRESS" ] && command -v curl > /dev/null && curl -s -d "$name" "$EVERYDAY_ADDRESS"
