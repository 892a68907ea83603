# appends the length of what a command printed
INPUT=$(cat)
mkdir -p "$HOME/.claude/logs"
echo "$INPUT" | jq -r '[.tool_name, (.tool_response.stdout | length | tostring)] | join(" ")' >> "$HOME/.claude/logs/audit.txt"
