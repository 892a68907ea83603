command=$(jq -r '.tool_input.command')
if [[ $command == *"--no-verify"* ]]; then
  echo '{"approval": "deny", "additionalContext": "Hooks of git must run."}'
elif [[ $command == docker* ]]; then
  echo '{"approval": "ask"}'
elif [[ $command == shutdown* ]]; then
  echo "not here" >&2
  exit 2
fi
