#!/usr/bin/env bash
# UserPromptSubmit: Claude receives what this hook prints, in addition to the prompt.
cd "$CLAUDE_PROJECT_DIR" || exit 1
echo "Stations on file: $(node "$CLAUDE_PROJECT_DIR"/scripts/names.mjs)."
echo 'Each has a lat and a lon.'
