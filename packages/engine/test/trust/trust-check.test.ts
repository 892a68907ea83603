import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookDefinition, HookEvent } from '@tenterhook/protocol';
import { HookSystem } from '../../src/hook-system.js';
import type { Distrust, TrustGate } from '../../src/trust/trust-check.js';
import { fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trust-check-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pin = 'ab'.repeat(32);

/** A gate whose answers a test sets. */
class FakeGate implements TrustGate {
  admission: ReturnType<TrustGate['admit']> = { trust: { state: 'trusted', pin } };
  distrust: (() => Distrust | undefined) | undefined;
  untouched = true;
  readonly observers = new Set<() => void>();
  readonly changes$ = {
    subscribe: (observer: () => void) => {
      this.observers.add(observer);
      return { unsubscribe: () => this.observers.delete(observer) };
    },
  };
  admit = () => this.admission;
  beforeRun = () => this.distrust?.() ?? { isUntouched: () => this.untouched };
}

/** A dialect whose hooks are real commands; what they print is their answer. */
const commands = fakeDialect({
  invocation: (_event: HookEvent, hook: HookDefinition) => {
    if (hook.action.kind !== 'command') throw new Error('not a command');
    return {
      kind: 'command',
      command: { kind: 'shell', text: hook.action.command },
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      stdin: '',
    };
  },
  decode: (exit) => {
    const text = exit.kind === 'exited' ? exit.stdout.trim() : '';
    return text === '' ? { warnings: [] } : { output: JSON.parse(text), warnings: [] };
  },
});

async function fire(gate: TrustGate, command: string, fields: Partial<HookDefinition> = {}) {
  const hook = hookOf('guard', { name: 'guard', source: 'project', action: { kind: 'command', command }, ...fields });
  const system = new HookSystem({ projectDir: folder, dialects: [commands], sources: [sourceOf([hook])], trust: gate });
  try {
    return await system.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path: 'a' } });
  } finally {
    await system.dispose();
  }
}

const ran = () => readFileSync(join(folder, 'ran'), 'utf8');

test('a trusted hook runs', async () => {
  const { verdict } = await fire(new FakeGate(), `echo yes > ran; echo '{"decision":"deny","reason":"no"}'`);
  expect(verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(ran()).toBe('yes\n');
});

test.each<[Distrust['objects'], HookDefinition['onError'], string]>([
  [undefined, 'continue', 'none'],
  [undefined, 'block', 'none'],
  ['ask', 'continue', 'ask'],
  ['ask', 'block', 'deny'],
  ['deny', 'continue', 'deny'],
])('a hook that is not trusted and objects with %s (onError: %s) does not run, and the verdict is %s', async (objects, onError, kind) => {
  const gate = new FakeGate();
  const distrust = { reason: 'its script changed.', ...(objects === undefined ? {} : { objects }) };
  gate.admission = { trust: { state: 'changed', pin }, distrust };
  const { verdict, outcomes } = await fire(gate, 'echo yes > ran', { onError });
  expect(ran).toThrow('ENOENT');
  expect(verdict.kind).toBe(kind);
  expect(outcomes).toMatchObject([{ status: 'skipped', skipReason: 'untrusted' }]);
  if (kind !== 'none') expect(verdict.reason).toContain('its script changed.');
});

test('a hook that matches another tool does not object, unless its matcher is what has changed', async () => {
  const gate = new FakeGate();
  gate.admission = { trust: { state: 'changed', pin }, distrust: { reason: 'it changed.', objects: 'deny' } };
  expect((await fire(gate, 'true', { matcher: 'read_file' })).verdict.kind).toBe('none');
  gate.admission = { trust: { state: 'changed', pin }, distrust: { reason: 'it changed.', objects: 'deny', onEveryEvent: true } };
  expect((await fire(gate, 'true', { matcher: 'read_file' })).verdict.kind).toBe('deny');
  // The version that was trusted was not async.
  expect((await fire(gate, 'true', { async: true })).verdict.kind).toBe('deny');
});

test('a hook that is no longer trusted when it would start does not run', async () => {
  const gate = new FakeGate();
  gate.distrust = () => ({ reason: 'guard.sh changed.', objects: 'ask' });
  const { verdict, outcomes } = await fire(gate, 'echo yes > ran');
  expect(ran).toThrow('ENOENT');
  expect(verdict).toMatchObject({ kind: 'ask', reason: 'guard.sh changed.' });
  expect(outcomes).toMatchObject([{ status: 'skipped', skipReason: 'untrusted', warnings: [{ code: 'untrusted' }] }]);
});

test('it is looked at after the wait for its turn, right before the start', async () => {
  const gate = new FakeGate();
  const looks: string[] = [];
  gate.distrust = () => {
    looks.push(existsSync(join(folder, 'first')) ? 'after the first hook' : 'before');
    return looks.length === 1 ? undefined : { reason: 'guard.sh changed.', objects: 'deny' };
  };
  const hooks = ['echo yes > first', 'echo yes > ran'].map((command, index) =>
    hookOf(`guard${index}`, { source: 'project', action: { kind: 'command', command } }),
  );
  const system = new HookSystem({
    projectDir: folder,
    dialects: [commands],
    sources: [sourceOf(hooks)],
    trust: gate,
    limits: { concurrency: 1 },
  });
  const { verdict } = await system.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path: 'a' } });
  await system.dispose();
  expect(looks).toEqual(['before', 'after the first hook']);
  expect(ran).toThrow('ENOENT');
  expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('guard.sh changed.') });
});

test('a look that throws means that the hook is not trusted', async () => {
  const gate = new FakeGate();
  gate.distrust = () => {
    throw new Error('EIO');
  };
  const { verdict } = await fire(gate, 'echo yes > ran', { onError: 'block' });
  expect(ran).toThrow('ENOENT');
  expect(verdict.kind).toBe('deny');
});

test.each<[string, Record<string, unknown>, HookDefinition['onError'], Record<string, unknown>]>([
  ['an allow does not count', { decision: 'allow' }, 'continue', { kind: 'none' }],
  ['a deny counts', { decision: 'deny', reason: 'no' }, 'continue', { kind: 'deny', reason: 'no' }],
  ['a question counts', { decision: 'ask', reason: 'sure?' }, 'continue', { kind: 'ask', reason: 'sure?' }],
  [
    'a stop counts',
    { continue: false, stopReason: 'enough', decision: 'allow' },
    'continue',
    { kind: 'none', stop: true, stopReason: 'enough' },
  ],
  ['a rewrite does not count', { hookSpecificOutput: { tool_input: { path: 'b' } } }, 'continue', { kind: 'none' }],
  ['a hook that fails closed denies', { decision: 'allow' }, 'block', { kind: 'deny' }],
])('files changed while the hook ran: %s', async (_, answer, onError, verdict) => {
  const gate = new FakeGate();
  gate.untouched = false;
  writeFileSync(join(folder, 'answer.json'), JSON.stringify(answer));
  const result = await fire(gate, 'cat answer.json', { onError });
  expect(result.verdict).toMatchObject(verdict);
  expect(result.changes).toEqual([]);
  expect(result.outcomes[0]?.warnings.map(({ code }) => code)).toContain('changed_while_running');
});

test('hooks are admitted again when the gate reports a change', async () => {
  const gate = new FakeGate();
  gate.admission = { trust: { state: 'new', pin }, distrust: { reason: 'it is new.' } };
  const hook = hookOf('guard', { source: 'project', action: { kind: 'command', command: `echo '{"decision":"deny"}'` } });
  const system = new HookSystem({ projectDir: folder, dialects: [commands], sources: [sourceOf([hook])], trust: gate });
  const input = { tool_name: 'write_file', tool_input: {} };
  expect((await system.fire('BeforeTool', input)).verdict.kind).toBe('none');
  gate.admission = { trust: { state: 'trusted', pin } };
  for (const observer of gate.observers) observer();
  expect((await system.fire('BeforeTool', input)).verdict.kind).toBe('deny');
  await system.dispose();
  expect(gate.observers.size).toBe(0);
});
