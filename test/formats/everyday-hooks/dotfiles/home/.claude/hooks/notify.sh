#!/bin/sh
# desktop notification, if there is a program for it
command -v pop-up-message > /dev/null || exit 0
pop-up-message "Claude Code" "needs your attention"
