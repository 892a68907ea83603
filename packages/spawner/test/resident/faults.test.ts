// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.

import { existsSync, writeFileSync } from 'node:fs';
import type { ResidentExit } from '../../src/index.js';
import { readProcStat } from '../../src/kill/job-processes.js';
import { Backoff } from '../../src/resident/backoff.js';
import { isRunning, until } from '../process-rig.js';
import { answering, openResidentRig, type ResidentRig } from './resident-rig.js';

let rig: ResidentRig;
beforeEach(() => {
  rig = openResidentRig({ stdoutBytes: 1_000_000 });
});
afterEach(() => rig.close());

/** Does this with the first question only, and answers the later ones; `good` is a file, because another process may answer them. */
const once = (text: string): string => answering(`if [ -e good ]; then say good; else : > good; ${text}\nfi`);

async function expectGood(text: string): Promise<ResidentExit> {
  const exit = await rig.ask(text);
  expect(exit).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'good', route: { kind: 'resident' } });
  return exit;
}

const ignored = (message: string) => [{ kind: 'ignored-output', message: expect.stringContaining(message) }];

test.each<[string, string, object, string | readonly object[]]>([
  [
    'prints garbage, the question, an unknown id and an answer without id first',
    `echo hello; echo "$line"; echo '{"id":1,"stdout":"no"}'; echo '{"decision":"deny"}'; say yes`,
    { kind: 'exited', exitCode: 0, stdout: 'yes', notes: ignored('4 lines that are not the answer, the first one: "hello"') },
    [],
  ],
  [
    'answers twice',
    'say one; say two; sleep 0.1',
    { kind: 'exited', stdout: 'one' },
    ignored('a line that is not the answer: "{\\"id\\":'),
  ],
  [
    'answers with an unknown field',
    `echo '{"id":'$id',"decision":"deny"}'`,
    { kind: 'unanswered', problem: expect.stringContaining('unknown field "decision"') },
    [],
  ],
  [
    'answers with a wrong exit code',
    `echo '{"id":'$id',"exitCode":"2"}'`,
    { kind: 'unanswered', problem: expect.stringContaining('"2"') },
    [],
  ],
  [
    'prints half a line and exits',
    `printf '{"id":%s,"std' $id; exit 0`,
    { kind: 'unanswered', problem: 'exited with code 0 before it answered' },
    [],
  ],
  ['exits with 0', 'exit', { kind: 'unanswered', problem: 'exited with code 0 before it answered' }, []],
  ['answers and exits', 'say yes; exit', { kind: 'exited', exitCode: 0, stdout: 'yes' }, 'exited with code 0'],
  ['denies by its exit code', 'echo no >&2; exit 2', { kind: 'exited', exitCode: 2, stdout: '', stderr: 'no\n' }, []],
  ['is killed', 'kill -9 $$', { kind: 'signalled', signal: 'SIGKILL' }, []],
  ['closes its output', 'exec >&-; sleep 600', { kind: 'unanswered', problem: 'closed its output before it answered' }, []],
  [
    'prints an endless line',
    `head -c 3000000 /dev/zero | tr '\\0' x; sleep 600`,
    { kind: 'exited', exitCode: 0, stdout: '', stdoutTruncated: true },
    [],
  ],
])('a process that %s', async (_, text, expected, later) => {
  const script = once(text);
  const first = await rig.ask(script);
  expect(first).toMatchObject({ route: { kind: 'resident' }, ...expected });
  if (typeof later === 'string') await until('the process is gone', () => rig.spawner.residents.size === 0);
  const notes: readonly object[] = typeof later === 'string' ? [{ kind: 'restarted', message: later }] : later;
  const second = await expectGood(script);
  // The second answer may be read together with the first.
  const both = [...((first as { notes?: [] }).notes ?? []), ...((second as { notes?: [] }).notes ?? [])];
  if (notes !== later || later.length > 0) expect(both).toMatchObject(notes);
  else expect((second as { notes?: [] }).notes).toEqual([]);
});

test('at the deadline the process and its children are killed, also if they ignore SIGTERM, and do not read a long input', async () => {
  const script = once('');
  const hanging = `if [ -e good ]; then ${script}\nelse : > good; trap '' TERM; sleep 600 & echo $! > child; wait; sleep 600; fi`;
  const exit = await rig.ask(hanging, { text: 'x'.repeat(1_000_000) }, { timeoutMs: 300 });
  expect(exit).toMatchObject({ kind: 'timed-out', route: { kind: 'resident' } });
  const child = await rig.pid('child');
  await until('all are gone', () => !isRunning(child) && !isRunning((exit as { pid: number }).pid));
  await expectGood(hanging);
});

test('a child that holds the output does not delay the end of its process, and is killed', async () => {
  const script = once('sleep 600 & echo $! > child; exit 1');
  expect(await rig.ask(script)).toMatchObject({ kind: 'exited', exitCode: 1 });
  const child = await rig.pid('child');
  await until('the child is gone', () => !isRunning(child));
  await expectGood(script);
});

test('a process that is killed or paused between two jobs is replaced, and the next job reports it', async () => {
  writeFileSync(rig.path('good'), '');
  const script = once('');
  const killed = (await expectGood(script)) as { pid: number };
  process.kill(killed.pid, 'SIGKILL');
  await until('it is gone', () => rig.spawner.residents.size === 0);
  const paused = (await expectGood(script)) as { pid: number; notes?: unknown };
  expect(paused.notes).toEqual([{ kind: 'restarted', message: 'was ended by SIGKILL' }]);
  process.kill(paused.pid, 'SIGSTOP');
  await until('it is paused', () => readProcStat(paused.pid)?.state === 'T');
  expect(await expectGood(script)).toMatchObject({ notes: [{ kind: 'restarted', message: 'was paused by a signal' }] });
  await until('the paused one is gone', () => !isRunning(paused.pid));
});

test('a process that is paused while it answers is reported as paused', async () => {
  const exit = await rig.ask(once('kill -STOP $$'), {}, { timeoutMs: 300 });
  expect(exit).toMatchObject({ kind: 'timed-out', signal: 'SIGSTOP' });
});

test('a process that dies at each start is not started in a pause, and the job runs in a process of its own', async () => {
  const script = 'echo "$TENTERHOOK_MODE" >> starts; exit 7';
  const exits: ResidentExit[] = [];
  const isCold = () => exits.length > 0 && JSON.stringify(exits.at(-1)).includes('"cold"');
  // On a slow machine a pause may be over before the next job. The pauses grow, so this ends.
  while (!isCold() && exits.length < 20) exits.push(await rig.ask(script));
  const resident = { kind: 'exited', exitCode: 7, route: { kind: 'resident' } };
  expect(exits.slice(0, 2)).toMatchObject([resident, resident]);
  const reason = expect.stringMatching(/^its resident process failed \d+ times in a row, and is started again in \d+ s$/);
  expect(exits.at(-1)).toMatchObject({ kind: 'exited', exitCode: 7, route: { kind: 'cold', reason } });
});

test('the pauses grow from 1 to 60 seconds, and an answer ends them', () => {
  let now = 5000;
  const backoff = new Backoff(() => now);
  const pauses = Array.from({ length: 9 }, () => {
    backoff.died();
    return backoff.leftMs / 1000;
  });
  expect(pauses).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60]);
  now += 59_999;
  expect(backoff.leftMs).toBe(1);
  now += 1;
  expect(backoff.leftMs).toBe(0);
  backoff.answered();
  backoff.died();
  expect(backoff.leftMs).toBe(0);
});

test('what the process prints to stderr is passed on, up to a limit', async () => {
  const texts: string[] = [];
  const script = answering('[ -e good ] && head -c 300000 /dev/zero >&2; echo log >&2; : > good; say done');
  for (let round = 0; round < 2; round += 1) await rig.ask(script, {}, { onStderr: (text) => texts.push(text) });
  await until('it was read', () => texts.join('').length > 65_536);
  expect(texts.join('')).toMatch(/^log\n\0+$/);
  expect(texts.join('').length).toBeLessThan(200_000);
});

test('a process that cannot be started is unrunnable, as another job', async () => {
  expect(await rig.ask('true', {}, { cwd: rig.path('none') })).toMatchObject({ kind: 'unrunnable', reason: 'missing_cwd' });
  const program = { kind: 'program', file: '/no/such/program', args: [] } as const;
  expect(await rig.ask('', {}, { command: program })).toMatchObject({ kind: 'unrunnable', reason: 'missing_program' });
  expect(existsSync(rig.path('none'))).toBe(false);
});
