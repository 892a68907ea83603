#!/usr/bin/env bash
# UserPromptSubmit: Claude receives what this hook prints, in addition to the prompt.
echo "Stations on file: $(jq -r 'keys | join(", ")' "$CLAUDE_PROJECT_DIR"/stations.json)."
echo 'Each has a lat and a lon.'
