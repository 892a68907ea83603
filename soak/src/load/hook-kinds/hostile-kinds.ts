import { daemonMark, failing, type HookKind, hanging, hostile } from './hook-kind.js';

/** A process that runs long enough to be found at the end of the soak, and that ends by itself if the soak is killed. */
const daemon = `env ${daemonMark} sleep 40`;

/**
 * A process that writes for 40 seconds. It waits with `read`, because each start of `sleep` takes milliseconds: ten of these processes would
 * take half of the machine, and hooks that end by themselves would then reach their timeouts.
 */
const writer = `env ${daemonMark} bash -c 'exec 3<> <(:); for i in {1..400}; do echo on; read -t 0.1 -u 3; done'`;

const doubleFork = `
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvpe('sleep', ['sleep', '40'], {**os.environ, '${daemonMark.split('=')[0]}': '1'})
    os._exit(0)
sys.exit(0)
`;

/** Hooks that misuse processes and signals. */
export const processKinds: readonly HookKind[] = [
  hanging('sleeps-past-its-timeout', 'exec sleep 300'),
  hanging('ignores-term', `trap '' TERM; while :; do sleep 0.2; done`),
  hanging('ignores-term-with-child', `trap '' TERM; (while :; do sleep 0.2; done) & while :; do sleep 0.2; done`),
  hanging('stops-itself', 'kill -STOP $$; sleep 300'),
  hanging('leaves-its-group-and-hangs', 'setsid sleep 300 & sleep 300'),
  hanging(
    'daemon-ignores-term-and-hangs',
    `setsid bash -c 'trap "" TERM HUP; while :; do sleep 0.2; done' </dev/null >/dev/null 2>&1 & sleep 300`,
  ),
  hanging('forks-and-hangs', 'for i in {1..40}; do sleep 300 & done; wait'),
  hostile('forks-200-quickly', 'for i in {1..200}; do : & done; wait', { exitCode: 0 }),
  hostile('child-holds-the-output', `${daemon} & exit 0`, { exitCode: 0 }),
  hostile('child-writes-on', `${writer} & exit 0`, { exitCode: 0 }),
  hostile('denies-and-leaves-a-child', `${daemon} & echo '{"decision":"deny","reason":"and a child"}'`, { says: 'deny', exitCode: 0 }),
  hostile('daemon-of-a-new-session', `setsid ${daemon} & exit 0`, { exitCode: 0 }),
  hostile('daemon-by-double-fork', doubleFork, { interpreter: 'python3', exitCode: 0 }),
  hostile('detaches-and-denies', `setsid ${daemon} </dev/null >/dev/null 2>&1 & disown; exit 2`, { says: 'deny', exitCode: 2 }),
  failing('segfaults', 'kill -SEGV $$; sleep 300', { signal: 'SIGSEGV' }),
  failing('kills-itself', 'kill -KILL $$; sleep 300', { signal: 'SIGKILL' }),
  failing('kills-its-group', 'sleep 300 & kill -KILL 0; sleep 300', { signal: 'SIGKILL' }),
  failing('exits-1', `echo '{"decision":"deny"}'; echo broken >&2; exit 1`, { exitCode: 1 }),
  failing('exits-126', 'exit 126', { exitCode: 126 }),
  failing('exits-127', 'exit 127', { exitCode: 127 }),
  failing('is-missing', '', { command: './hooks/is-not-there.sh', exitCode: 127 }),
];

/** Hooks that misuse what they read and write. */
export const streamKinds: readonly HookKind[] = [
  failing('floods-stdout', 'yes | head -c 67108864', { exitCode: 0 }),
  hostile('floods-stderr', 'yes | head -c 67108864 >&2', { exitCode: 0 }),
  hostile('floods-and-denies', 'yes | head -c 16777216; echo "still no" >&2; exit 2', { says: 'deny', exitCode: 2 }),
  hanging('floods-until-killed', 'exec yes', { weight: 0.5 }),
  hostile('prints-garbage', 'head -c 4096 /dev/urandom; exit 0', { isBroken: true, exitCode: 0 }),
  hostile('prints-half-an-object', `printf '{"decision":"deny","reason":'`, { isBroken: true, exitCode: 0 }),
  hostile('prints-nul-bytes', `printf 'a\\0b\\0\\n'`, { isBroken: true, exitCode: 0 }),
  hostile('prints-a-huge-object', `printf '{"systemMessage":"'; yes | head -c 900000 | tr -d '\\n'; printf '"}'`, { exitCode: 0 }),
  hostile('prints-escapes', `printf '\\033]0;title\\007\\033[2Jlog {"decision":"deny"}\\r'`, { isBroken: true, exitCode: 0 }),
  hostile('never-reads', 'sleep 0.1; exit 0', { exitCode: 0 }),
  hostile('closes-everything', 'exec 0<&- 1>&- 2>&-; sleep 0.1; exit 0', { exitCode: 0 }),
  hostile('closes-everything-and-denies', 'exec 0<&- 1>&- 2>&-; exit 2', { says: 'deny', exitCode: 2 }),
  hostile('empties-the-private-directory-and-denies', 'rm -f "$(dirname "$(readlink /proc/$$/fd/0)")"/p*; echo gone >&2; exit 2', {
    says: 'deny',
    exitCode: 2,
  }),
  hostile('opens-its-output-anew-and-denies', `echo first; echo '{"decision":"allow"}' > /dev/stdout; echo no > /dev/stderr; exit 2`, {
    says: 'deny',
    exitCode: 2,
  }),
];
