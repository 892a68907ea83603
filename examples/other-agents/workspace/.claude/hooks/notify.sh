#!/usr/bin/env bash
# Notification: runs when Claude waits for its user. Replace the last line with notify-send or osascript to show it on the screen.
jq -r '"\(.notification_type): \(.message)"' >> "$CLAUDE_PROJECT_DIR"/.claude/notifications.log
