# Runs a function for each event: answer_events <function>. The function reads the event as JSON on stdin, prints its answer, and returns
# 0, or 2 to deny with the reason on stderr. Works as a resident hook ("mode": "resident") and with a process for each event.
__quote() { local t=${1//\\/\\\\}; t=${t//\"/\\\"}; t=${t//$'\n'/\\n}; t=${t//$'\r'/\\r}; t=${t//$'\t'/\\t}; __quoted=${t//[[:cntrl:]]/}; }
answer_events() {
  if [ "${TENTERHOOK_MODE-}" != resident ]; then "$1"; exit; fi
  local line id out err code errors; errors=$(mktemp) && exec 9<>"$errors" && rm -f "$errors" || exit 1
  while IFS= read -r line; do
    id=${line#'{"id":'}; id=${id%%,*}; line=${line#*'"input":'}
    : >/dev/fd/9; out=$("$1" <<<"${line%\}}" 2>>/dev/fd/9); code=$?; err=$(</dev/fd/9)
    __quote "$out"; out=$__quoted; __quote "$err"
    printf '{"id":%s,"exitCode":%s,"stdout":"%s","stderr":"%s"}\n' "$id" "$code" "$out" "$__quoted"
  done
}
