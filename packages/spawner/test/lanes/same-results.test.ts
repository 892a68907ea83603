// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createSpawner, type ProcessExit, type Spawner } from '../../src/index.js';
import { type JobOptions, openRig, plainEnv, shellJob } from '../process-rig.js';

const rig = openRig();
const spawners: Record<'direct' | 'lanes', Spawner> = {
  direct: createSpawner({ killGraceMs: 200 }, { spawner: 'direct' }),
  lanes: createSpawner({ killGraceMs: 200 }, { spawner: 'lanes' }),
};

beforeAll(() => {
  for (const [name, text] of Object.entries({
    'ok.sh': '#!/bin/bash\nread -r line\necho "got $line $# $1"\n',
    'deny.sh': '#!/bin/sh\necho no >&2\nexit 2\n',
    'env.sh': '#!/bin/bash\nenv | grep -v TENTERHOOK_JOB | sort\n',
    'no-interpreter.sh': 'echo run by bash; exit 5\n',
    'missing-interpreter.sh': '#!/no/such/interpreter\n',
    'killed.sh': '#!/bin/bash\nkill -9 $BASHPID\n',
    'name.sh': '#!/bin/bash\necho "$0 $*"\n',
    'library.sh': 'value=from-library\n',
  })) {
    writeFileSync(rig.path(name), text);
    chmodSync(rig.path(name), 0o755);
  }
  writeFileSync(rig.path('not-executable'), 'echo never\n');
  mkdirSync(rig.path('folder'));
  symlinkSync('folder', rig.path('link'));
});

afterAll(async () => {
  for (const spawner of Object.values(spawners)) await spawner.dispose();
  await rig.close();
});

/** The hooks of the table: a text, and what the job has in addition. */
const hooks: readonly (string | [text: string, options: JobOptions])[] = [
  // Exit codes and ends
  'true',
  'false',
  'exit 2',
  'exit 137',
  'exit 143',
  'exit 255',
  'exit -1',
  'exit x',
  'return 3',
  'kill -9 $BASHPID',
  'kill -TERM $BASHPID',
  'sh -c "kill -9 \\$\\$"; exit $?',
  './killed.sh',
  'exec ./killed.sh',
  './killed.sh; true',
  '(exit 7)',
  '{ exit 8; }',
  'trap "echo bye" EXIT; exit 4',
  'trap "echo caught; exit 6" TERM; kill -TERM $BASHPID; sleep 1',
  'set -e; false; echo never',
  'set -e; if false; then :; fi; false || true; echo reached; (exit 3); echo never',
  'set -o pipefail; false | true',
  'false | true',
  'break; echo after',
  'ulimit -n 16; ulimit -n',
  'umask; umask 077; umask',
  // Programs
  './ok.sh --strict',
  '"$DIR"/ok.sh "a b"',
  '"${DIR}/deny.sh"',
  '$DIR/deny.sh',
  "'./ok.sh' 'it is' quoted",
  'A=1 ./env.sh | grep -v SHLVL',
  './env.sh',
  'env | grep -v -e TENTERHOOK_JOB -e ^_= | sort',
  'cat',
  'cat /dev/stdin',
  'wc -c',
  'exec wc -c',
  'cat >/dev/null; echo {}',
  'head -c 3; echo; head -c 3',
  './no-interpreter.sh',
  './missing-interpreter.sh 2>/dev/null',
  './not-executable 2>/dev/null',
  './folder 2>/dev/null',
  'no-such-program',
  'no-such-program --help; echo $?',
  '/no/such/program',
  './no-such-file.sh',
  '. ./library.sh; echo $value',
  'source ./library.sh && echo "$value"',
  'exec no-such-program; echo after',
  'command no-such-program',
  'nice -n 1 ./ok.sh x',
  'env X=1 ./env.sh',
  'TIMEFORMAT=%%; time true',
  // Streams
  'echo out; echo err >&2',
  'echo out > /dev/stdout; echo err > /dev/stderr',
  'echo both | tee /dev/stderr',
  'printf "no line feed"',
  'printf "\\303\\244 \\377"',
  'exec >/dev/null; echo hidden',
  'exec 1>&-; echo lost; exit 9',
  'exec 2>&1; echo joined >&2',
  'cat <<END\nhere $DIR\nEND',
  'cat <<< "here string"',
  'diff <(echo a) <(echo b); code=$?; wait; exit $code',
  'echo a > >(cat); wait',
  'head -c 200000 /dev/zero | tr "\\0" x',
  'read -r a; read -r b; echo "$a-$b-$?"',
  'read -r line < /dev/null; echo $?',
  'exec 5>&1; echo five >&5',
  'ls -l /proc/self/fd | grep -c tenterhook-',
  // The language
  'echo "$0" "$#" "$*"',
  'echo $- | tr -d s | grep -c h',
  'echo $LINENO\necho $LINENO',
  'echo "${BASH_SOURCE[0]}|${FUNCNAME[0]}|$BASH"; f() { echo "${FUNCNAME[0]} $LINENO"; }; f',
  'ulimit -a | grep -v -e processes -e pending; nice',
  'trap; set -o; shopt | grep -c on$',
  'ps -o pgid= -p $BASHPID | grep -c .; kill -0 0',
  'exec 3>&1 2>&-; echo three >&3; sleep 0.1; exit 3',
  'shopt -q expand_aliases; echo $?',
  'shopt -s extglob nullglob; echo +(no-match)x',
  'alias ll=ls; ll',
  'f() { echo "f $1"; return 3; }; f x',
  'local x=1',
  'declare -A m; m[a]=1; echo "${m[a]}"',
  'declare -i n=2+3; echo $n',
  'for i in {1..3}; do echo -n $i; done',
  'while read -r l; do echo "[$l]"; done',
  'case x in x) echo matched;; esac',
  'if',
  'echo "unfinished',
  'echo $((1/0))',
  '((0)); echo $?; let 1; echo $?',
  '[[ abc =~ ^a(.)c$ ]] && echo "${BASH_REMATCH[1]}"',
  'a=(1 2 3); echo "${#a[@]} ${a[-1]}"',
  'echo ~; echo ~root',
  'echo *.sh | wc -w',
  'pwd; cd folder; pwd; cd - ; echo "$OLDPWD" "$PWD"',
  'cd no-such-folder; echo $?',
  'export X=1; sh -c "echo \\$X"',
  'unset PATH; ls',
  'echo "$SHLVL" "${BASH_VERSION%%.*}" "$IFS" | od -c',
  'set -- a b; shift; echo "$1"',
  'getopts ab: o -b x; echo "$o $OPTARG $OPTIND"',
  'hash -r; type -t ls',
  'enable -n echo; echo by program',
  'history | wc -l; jobs | wc -l',
  'sleep 0 & wait; echo $?',
  'wait; echo $?',
  'caller; echo $?',
  // Bash sees the group, the name and the words of a single program as `bash -c` does.
  './name.sh "a b" c=d',
  '"$DIR/name.sh"',
  './name.sh\r',
  'A=1 ./name.sh',
  'sleep 600 & kill %1; wait %1; echo $?; exit 2',
  'p=$BASHPID; (sleep 0.1; kill -CONT $p) & kill -STOP $p; echo continued; wait; exit 2',
  'p=$BASHPID; (sleep 0.1; kill -CONT $p; sleep 0.1; kill -CONT $p) & kill -STOP $p; kill -STOP $p; wait; exit 3',
  'export -p | grep OLDPWD; cd folder && env | grep -c OLDPWD',
  'trap "echo failed; exit 2" ERR; false',
  // Processes in the background
  ['sleep 0.3 & echo left', { timeoutMs: 20_000 }],
  'exec >&- 2>&-; sleep 0.1; exit 3',
  'sleep 0.1; head -c 200000 /dev/zero | tr "\\0" x; sleep 0.1; echo end >&2',
  'sleep 0.01 & wait; echo waited',
  'coproc cat; echo x >&"${COPROC[1]}"; read -r l <&"${COPROC[0]}"; echo $l; kill "$COPROC_PID"; wait 2>/dev/null; true',
  '(echo from a subshell) & wait',
  // Deadlines
  ['echo before; sleep 600', { timeoutMs: 300 }],
  ['trap "" TERM; echo stubborn; sleep 600', { timeoutMs: 300 }],
  ['kill -STOP $BASHPID', { timeoutMs: 300 }],
  // Environment and directory
  ['echo "$TZ|$LC_ALL|$LANG"; date -d @0 +%c', { env: { ...plainEnv, TZ: 'Asia/Tokyo', LC_ALL: 'C', LANG: 'de_DE.UTF-8' } }],
  ['env | grep -v -e TENTERHOOK_JOB -e ^_= | sort', { env: { ...plainEnv, QUOTES: `it's "\n$x\\`, EMPTY: '', UTF8: 'ä' } }],
  ['echo "$PATH"; ls', { env: { PATH: '/no/such/directory' } }],
  ['echo "${PATH-unset}"', { env: {} }],
  ['echo "$SHLVL"', { env: { ...plainEnv, SHLVL: '3' } }],
  ['echo "$PWD"; pwd -P', { env: { ...plainEnv, PWD: '/' } }],
  ['echo "${OLDPWD-unset}"; cd -', { env: { ...plainEnv, OLDPWD: '/usr' } }],
  ['echo "${OLDPWD-unset}"; printenv OLDPWD', { env: { ...plainEnv, OLDPWD: '/no/such/directory' } }],
  ['echo "$PWD"; pwd', { env: { ...plainEnv, PWD: 'folder' } }],
  ['printenv PS1 PS2; echo "$PS1"', { env: { ...plainEnv, PS1: '> ', PS2: '> ' } }],
  ['printenv LINES COLUMNS TERM; echo $?', { env: { ...plainEnv, TERM: 'dumb' } }],
  ['cat', { stdin: 'x'.repeat(300_000) }],
  ['cat | wc -c', { stdin: '' }],
];

/** What must be the same. Texts of bash name the evaluated text in another way, and its own path (docs/lanes.md). */
function comparable(exit: ProcessExit): unknown {
  if (!('stdout' in exit)) return exit;
  const { durationMs: _, pid: _pid, route: _route, stderr, stderrBytes: _bytes, ...rest } = exit;
  return {
    ...rest,
    stderr: stderr.replace(/^.*?: (?:eval: )?(?:-c: )?line \d+:/gm, 'bash: line N:').replace(/line N:\s*\d+ /g, 'line N: PID '),
  };
}

test('the table has at least 80 hooks', () => expect(hooks.length).toBeGreaterThanOrEqual(80));

test.each(hooks.map((hook) => (typeof hook === 'string' ? ([hook, {}] as const) : hook)))('%j has one result', async (text, options) => {
  const env = { ...plainEnv, DIR: rig.place, HOME: '/root', LANG: 'C.UTF-8' };
  const job = shellJob(text, { cwd: rig.place, stdin: 'first line\nsecond line\n', env, ...options });
  const [direct, lane] = await Promise.all([spawners.direct.run(job), spawners.lanes.run(job)]);
  expect('route' in lane && lane.route).toEqual({ kind: 'lane' });
  expect(comparable(lane)).toEqual(comparable(direct));
});

test('PWD keeps the symbolic link by which the environment names the directory', async () => {
  for (const [cwd, pwd] of [
    ['folder', 'link'],
    ['link', 'link'],
    ['link/', 'link'],
    ['link', 'folder'],
  ] as const) {
    const job = shellJob('echo "$PWD"; pwd; printenv PWD', { cwd: rig.path(cwd), env: { ...plainEnv, PWD: rig.path(pwd) } });
    const [direct, lane] = await Promise.all([spawners.direct.run(job), spawners.lanes.run(job)]);
    expect(comparable(lane)).toEqual(comparable(direct));
    expect('stdout' in lane && lane.stdout).toBe(`${rig.path(pwd)}\n`.repeat(3));
  }
});

test('a job whose directory is removed right before its start fails as with a direct start', async () => {
  const cwd = rig.path('removed');
  const mayStart = (): boolean => {
    rmSync(cwd, { recursive: true, force: true });
    return true;
  };
  for (const text of ['true', './name.sh', 'exit 0', 'cat; echo {}']) {
    const exits = [];
    for (const way of [spawners.lanes, spawners.direct]) {
      mkdirSync(cwd);
      exits.push({ ...(await way.run(shellJob(text, { cwd, mayStart }))), durationMs: 0 });
    }
    expect(exits[0]).toMatchObject({ kind: 'unrunnable' });
    expect(exits[0]).toEqual(exits[1]);
  }
});
