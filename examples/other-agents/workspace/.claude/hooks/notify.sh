#!/usr/bin/env bash
# Notification: Claude waits for its user. Replace the last line by notify-send or osascript to see it on the screen.
jq -r '"\(.notification_type): \(.message)"' >> "$CLAUDE_PROJECT_DIR"/.claude/notifications.log
