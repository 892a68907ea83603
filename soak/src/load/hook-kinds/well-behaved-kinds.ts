import { type HookKind, wellBehaved } from './hook-kind.js';

const readsJson = `
import json, sys
event = json.load(sys.stdin)
wanted = ('session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp')
sys.exit(0 if all(isinstance(event.get(key), str) for key in wanted) else 9)
`;

/** Hooks as users write them. */
export const wellBehavedKinds: readonly HookKind[] = [
  wellBehaved('silent', 'exit 0', { exitCode: 0 }),
  wellBehaved('allow-by-json', `echo '{"decision":"allow"}'`, { says: 'allow', exitCode: 0 }),
  wellBehaved('deny-by-json', `echo '{"decision":"deny","reason":"not this one"}'`, { says: 'deny', exitCode: 0 }),
  wellBehaved('deny-by-exit-2', 'echo "not that one" >&2; exit 2', { says: 'deny', exitCode: 2, weight: 2 }),
  wellBehaved('deny-behind-a-log-line', `echo looking; echo '{"decision":"block","reason":"seen"}'`, { says: 'deny', exitCode: 0 }),
  wellBehaved('ask-by-json', `echo '{"decision":"ask","reason":"who knows"}'`, { says: 'ask', exitCode: 0 }),
  wellBehaved('stop-by-json', `echo '{"continue":false,"stopReason":"enough"}'`, { stops: true, exitCode: 0 }),
  wellBehaved('rewrite', `echo '{"hookSpecificOutput":{"tool_input":{"path":"elsewhere.txt"}}}'`, { exitCode: 0 }),
  wellBehaved('context', `echo '{"hookSpecificOutput":{"additionalContext":"mind the gap"}}'`, { exitCode: 0 }),
  wellBehaved('plain-text', 'echo one; echo two', { exitCode: 0 }),
  wellBehaved('slow-and-fine', `sleep 0.3; echo '{"decision":"allow"}'`, { says: 'allow', exitCode: 0 }),
  wellBehaved('reads-stdin', '[ "$(head -c 1)" = "{" ] && cat >/dev/null || exit 9', { exitCode: 0 }),
  wellBehaved('reads-stdin-as-json', readsJson, { interpreter: 'python3', exitCode: 0 }),
  wellBehaved('reads-stdin-twice', 'a=$(wc -c </dev/stdin); b=$(wc -c </dev/stdin); [ "$a" -gt 2 ] && [ "$a" = "$b" ] || exit 9', {
    exitCode: 0,
  }),
  wellBehaved('ends-at-its-deadline', 'sleep 0.25', { timeout: 260, ends: ['succeeded', 'timed-out'] }),
  wellBehaved('denies-at-its-deadline', 'sleep 0.25; exit 2', { timeout: 260, says: 'deny', ends: ['blocked', 'timed-out'] }),
];
