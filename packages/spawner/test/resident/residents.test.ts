// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.

import { writeFileSync } from 'node:fs';
import type { StopSignal } from '../../src/job.js';
import { Turns } from '../../src/resident/turns.js';
import { plainEnv, until } from '../process-rig.js';
import { answering, openResidentRig, type ResidentRig } from './resident-rig.js';

let rig: ResidentRig;
beforeEach(() => {
  rig = openResidentRig();
});
afterEach(() => rig.close());

const resident = { kind: 'resident' };

/** Prints its process, how many questions it received, and whether it is resident. */
const counting = `n=0; [ "$TENTERHOOK_MODE" = resident ] || { echo "cold $(cat)"; exit 3; }
${answering('n=$((n+1)); say "$$ $n"')}`;
const pidOf = (exit: { readonly stdout?: string }): number => Number(exit.stdout?.split(' ')[0]);

test('one process answers many jobs, each as if a process had exited', async () => {
  const script = answering(
    `case $n in '') n=1; say "\${input//\\"/}";; 1) n=2; echo "{\\"id\\":$id,\\"exitCode\\":2,\\"output\\":{\\"a\\":[1]},\\"stderr\\":\\"no\\"}";; *) say "$TENTERHOOK_MODE";; esac`,
  );
  const first = await rig.ask(script, { a: '}\n,b' });
  expect(first).toMatchObject({
    kind: 'exited',
    exitCode: 0,
    stdout: '{a:}\n,b}',
    stderr: '',
    leftProcesses: 0,
    route: resident,
    notes: [],
  });
  const second = await rig.ask(script);
  expect(second).toMatchObject({ kind: 'exited', exitCode: 2, stdout: '{"a":[1]}', stderr: 'no', pid: (first as { pid: number }).pid });
  expect(await rig.ask(script)).toMatchObject({ stdout: 'resident', pid: (first as { pid: number }).pid });
  expect(rig.spawner.residents.size).toBe(1);
});

test.each([
  ['another version', { version: '2' }],
  ['another directory', { cwd: '/' }],
  ['another environment', { env: { ...plainEnv, A: '1' } }],
  ['a touched file', {}],
])('%s has another process', async (what, changes) => {
  let isTouched = false;
  const options = { isTouched: () => isTouched };
  const first = await rig.ask(counting, {}, options);
  isTouched = what === 'a touched file';
  const second = await rig.ask(counting, {}, changes);
  expect(second).toMatchObject({ stdout: expect.stringMatching(/ 1$/), notes: [], route: resident });
  expect((second as { pid: number }).pid).not.toBe((first as { pid: number }).pid);
  await until('the first process is gone', () => !isAlive(pidOf(first as { stdout: string })));
  expect(rig.spawner.residents.size).toBe(1);
});

test('an environment that the caller has changed since the last job has another process', async () => {
  const env: Record<string, string> = { ...plainEnv, COLOR: 'red' };
  const script = answering('say "$COLOR"');
  expect(await rig.ask(script, {}, { env })).toMatchObject({ stdout: 'red' });
  env['COLOR'] = 'green';
  expect(await rig.ask(script, {}, { env })).toMatchObject({ stdout: 'green', route: resident });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a job that finds the process busy runs in a process of its own, as do jobs whose input is not JSON', async () => {
  const script = `[ "$TENTERHOOK_MODE" = resident ] || { read -r line; echo "cold $line"; exit 3; }\n${answering('echo > asked; until [ -e go ]; do sleep 0.01; done; say done')}`;
  const first = rig.ask(script, { n: 1 });
  await rig.line('asked');
  const cold = { kind: 'exited', exitCode: 3, stdout: 'cold {"n":2}\n', route: { kind: 'cold', reason: 'its resident process is busy' } };
  expect(await rig.ask(script, { n: 2 })).toMatchObject(cold);
  writeFileSync(rig.path('go'), '');
  expect(await first).toMatchObject({ stdout: 'done' });
  const odd = await rig.ask(script, {}, { stdin: 'not JSON\n' });
  expect(odd).toMatchObject({ stdout: 'cold not JSON\n', route: { kind: 'cold', reason: 'its input is not JSON' } });
  const long = await rig.ask(script, { text: 'x'.repeat(4_194_304) });
  expect(long).toMatchObject({ exitCode: 3, route: { kind: 'cold', reason: 'its input has more than 4194304 characters' } });
  expect(await rig.ask(script, {}, { stdin: '{\n}\n' })).toMatchObject({ stdout: 'done', route: resident });
});

test('a job that the caller refuses ends the process; a cancelled one too, without a pause', async () => {
  const first = (await rig.ask(counting)) as { pid: number };
  expect(await rig.ask(counting, {}, { mayStart: () => false })).toMatchObject({ kind: 'not-started', reason: 'refused' });
  await until('it is gone', () => !isAlive(first.pid));
  const control = new AbortController();
  const waiting = answering('echo > asked; [ -e go ] && say done');
  const cancelled = rig.ask(waiting, {}, { signal: control.signal });
  await rig.line('asked');
  control.abort();
  expect(await cancelled).toMatchObject({ kind: 'cancelled' });
  writeFileSync(rig.path('go'), '');
  for (let round = 0; round < 3; round += 1) expect(await rig.ask(waiting)).toMatchObject({ stdout: 'done', route: resident });
});

test('retain ends the processes of other keys, one that answers after its answer', async () => {
  const script = answering('echo > asked; until [ -e go ]; do sleep 0.01; done; say "$$"');
  const busy = rig.ask(script, {}, { key: 'busy' });
  await rig.line('asked');
  const idle = (await rig.ask(counting, {}, { key: 'idle' })) as { pid: number };
  const kept = (await rig.ask(counting, {}, { key: 'kept' })) as { pid: number };
  rig.spawner.residents.retain((key) => key === 'kept');
  await until('the idle one is gone', () => !isAlive(idle.pid));
  writeFileSync(rig.path('go'), '');
  const answered = (await busy) as { pid: number };
  expect(answered).toMatchObject({ kind: 'exited' });
  await until('the busy one is gone', () => !isAlive(answered.pid));
  expect(await rig.ask(counting, {}, { key: 'kept' })).toMatchObject({ pid: kept.pid });
});

test('at most 32 processes stay alive: another one takes the place of the one that was not used for the longest time', async () => {
  const first = (await rig.ask(counting, {}, { key: '0' })) as { pid: number };
  for (let key = 1; key <= 32; key += 1) await rig.ask(counting, {}, { key: String(key) });
  expect(rig.spawner.residents.size).toBe(32);
  await until('the first one is gone', () => !isAlive(first.pid));
});

test('dispose ends the processes, also one that ignores the end of its input and SIGTERM', async () => {
  const stubborn = `trap '' TERM; ${answering('say "$$"')}; sleep 600 & wait; sleep 600`;
  const one = (await rig.ask(stubborn, {}, { key: 'stubborn' })) as { pid: number };
  const other = (await rig.ask(counting)) as { pid: number };
  await rig.spawner.dispose();
  expect([isAlive(one.pid), isAlive(other.pid)]).toEqual([false, false]);
  expect(await rig.ask(counting)).toMatchObject({ kind: 'not-started', reason: 'disposed' });
});

test('jobs that wait for a process have their turns in order; a stopped one leaves the queue, and so does one that waited too long', async () => {
  const turns = new Turns();
  const control = new AbortController();
  const signal = control.signal as StopSignal;
  const never = new AbortController().signal as StopSignal;
  const order: string[] = [];
  const take = (name: string, longestMs: number, by = never) =>
    turns.take(longestMs, by).then((isTaken) => order.push(`${name} ${isTaken}`));
  await take('first', 1);
  const [stopped, late, second, third] = [take('stopped', 60_000, signal), take('late', 1), take('second', 60_000), take('third', 60_000)];
  control.abort('cancelled');
  await Promise.all([stopped, late]);
  turns.leave();
  await second;
  turns.leave();
  await third;
  turns.leave();
  expect(order).toEqual(['first true', 'stopped false', 'late false', 'second true', 'third true']);
  expect(turns.isFree).toBe(true);
  expect(await turns.take(1, signal)).toBe(false);
});

test('beforeStart is called before mayStart, and only for a job whose process is started', async () => {
  const script = answering('say ok');
  const calls: string[] = [];
  const ask = (name: string, options: object = {}) =>
    rig.ask(
      script,
      {},
      {
        beforeStart: () => void calls.push(`${name} starts`),
        mayStart: () => {
          calls.push(`${name} may`);
          return true;
        },
        ...options,
      },
    );
  expect(await ask('first')).toMatchObject({ stdout: 'ok' });
  expect(await ask('second')).toMatchObject({ stdout: 'ok' });
  expect(calls).toEqual(['first starts', 'first may', 'second may']);
  const broken = () => {
    throw new Error('no');
  };
  expect(await ask('third', { version: '2', beforeStart: broken })).toMatchObject({ kind: 'not-started', reason: 'refused' });
});
