#!/usr/bin/env bash
# UserPromptSubmit: what it prints is for Claude, beside the prompt.
echo "Stations on file: $(jq -r 'keys | join(", ")' "$CLAUDE_PROJECT_DIR"/stations.json)."
echo 'Each has a lat and a lon.'
