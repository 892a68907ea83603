#!/usr/bin/env bash
. "$LLXPRT_PROJECT_DIR/.llxprt/hooks/resident.sh"

# Denies commands that delete recursively.
no_deletes() {
  read -r event
  case $event in
    *'"rm -r'*)
      echo 'Nothing is deleted recursively. Name the files.' >&2
      return 2
      ;;
  esac
}

answer_events no_deletes
