import type { HookDefinition } from '@tenterhook/protocol';
import { recordOf } from '../../src/gate/questions.js';
import { definitionOf } from '../../src/pin/definition.js';
import { pinOf } from '../../src/pin/pin.js';
import type { Reach } from '../../src/reach/reach.js';
import {
  type Decisions,
  type HookOrigin,
  recordBefore,
  recordsGone,
  statesOf,
  type TrustRules,
  type TrustSubject,
} from '../../src/states/states.js';

const rules: TrustRules = { all: false, pinsOnly: false, open: 'allow', onChanged: 'ask' };
const nothing: Decisions = { trusted: new Map(), denied: new Map(), pins: new Set() };
const reachOf = (sha256: string, fields: Partial<Reach> = {}): Reach => ({
  entries: [{ path: '.hooks/guard.sh', kind: 'file', executable: true, sha256: sha256.repeat(64) }],
  open: [],
  refusals: [],
  dependsOnDirectory: false,
  ...fields,
});

function subjectOf(fields: Partial<HookDefinition> = {}, reach = reachOf('a'), origin: HookOrigin = 'repository'): TrustSubject {
  const hook: HookDefinition = {
    id: 'guard',
    dialect: 'llxprt',
    source: 'project',
    eventName: 'BeforeTool',
    dialectEvent: 'BeforeTool',
    timeoutMs: 60_000,
    onError: 'continue',
    action: { kind: 'command', command: './.hooks/guard.sh' },
    dialectData: {},
    ...fields,
  };
  const pinned = {
    project: '/srv/app',
    dialect: hook.dialect,
    definition: definitionOf(hook),
    environment: {},
    reach: { entries: reach.entries, open: reach.open },
  };
  return { hook, pinned, pin: pinOf(pinned), reach, origin };
}

const decidedAt = new Date('2026-11-02T10:00:00Z');
const recordsOf = (...subjects: TrustSubject[]) => new Map(subjects.map((one) => [one.pin, recordOf(one, 'terminal', decidedAt)]));
const state = (subject: TrustSubject, decisions: Partial<Decisions> = {}, change: Partial<TrustRules> = {}) =>
  statesOf([subject], { ...nothing, ...decisions }, { ...rules, ...change })[0];

test('a hook of the repository is new, and objects to nothing', () => {
  expect(state(subjectOf())).toEqual({
    state: 'new',
    reason: 'it comes with the project and is not trusted. Read what it does, and decide: tenterhook trust.',
  });
});

test('a hook is trusted by its record, by a pin, or because everything is', () => {
  const subject = subjectOf();
  expect(state(subject, { trusted: recordsOf(subject) })?.state).toBe('trusted');
  expect(state(subject, { pins: new Set([subject.pin]) })?.state).toBe('trusted');
  expect(state(subject, {}, { all: true })?.state).toBe('trusted');
  expect(state(subject, { trusted: recordsOf(subject) }, { pinsOnly: true })).toMatchObject({ state: 'refused', objects: 'ask' });
});

test.each<[string, Partial<HookDefinition>, Reach | undefined, string]>([
  ['its script', {}, reachOf('b'), 'the file ".hooks/guard.sh" has changed'],
  ['its timeout', { timeoutMs: 1 }, undefined, '"timeoutMs" of its settings has changed'],
  [
    'its matcher and failure policy',
    { matcher: 'x', onError: 'block' },
    undefined,
    '"matcher" of its settings and "onError" of its settings have changed',
  ],
  [
    'what it runs with its script',
    { action: { kind: 'command', command: 'sh .hooks/guard.sh' } },
    undefined,
    '"action" of its settings has changed',
  ],
])('a trusted hook is changed when %s changed, and asks', (_, fields, reach, what) => {
  const decisions = { trusted: recordsOf(subjectOf()) };
  const changed = subjectOf(fields, reach);
  expect(state(changed, decisions)).toMatchObject({
    state: 'changed',
    reason: `it was trusted on 2026-11-02, and ${what} since. Read what it does, and decide: tenterhook trust.`,
    objects: 'ask',
  });
  expect(state(changed, decisions, { onChanged: 'deny' })?.objects).toBe('deny');
  expect(recordBefore(changed, [changed], { ...nothing, ...decisions })?.at).toBe(decidedAt.toISOString());
});

test('a changed hook that could not have objected objects to nothing', () => {
  for (const fields of [{ eventName: 'AfterTool' as const }, { async: true }]) {
    const decisions = { trusted: recordsOf(subjectOf(fields)) };
    expect(state(subjectOf(fields, reachOf('b')), decisions)).toEqual({ state: 'changed', reason: expect.any(String) });
  }
});

test('a second hook with the same script is new, not changed, while the trusted one is there', () => {
  const old = subjectOf();
  const added = subjectOf({ id: 'other', action: { kind: 'command', command: './.hooks/guard.sh --quick' } });
  const decisions = { ...nothing, trusted: recordsOf(old) };
  expect(statesOf([old, added], decisions, rules).map((one) => one.state)).toEqual(['trusted', 'new']);
});

test('a hook that was denied stays denied until it changes', () => {
  const subject = subjectOf();
  const decisions = { denied: recordsOf(subject) };
  expect(state(subject, decisions)).toEqual({
    state: 'denied',
    reason: `you decided on 2026-11-02 that it must not run. To decide again, remove the decision: tenterhook trust --revoke.`,
  });
  expect(state(subjectOf({}, reachOf('b')), decisions)?.state).toBe('new');
});

test('a hook that cannot be trusted is refused, whatever was decided, and objects if it was trusted', () => {
  const refusal = { code: 'foreign_owner' as const, path: '/srv/app/x', message: 'The file "x" belongs to uid 7.', remedy: 'Run chown.' };
  const refused = subjectOf({}, reachOf('a', { refusals: [refusal] }));
  expect(state(refused)).toEqual({ state: 'refused', reason: 'the file "x" belongs to uid 7. Run chown.' });
  expect(state(refused, { trusted: recordsOf(refused) })).toMatchObject({ state: 'refused', objects: 'ask' });
});

test('a hook of the user whose program is unknown objects until it is accepted, and the reason says why', () => {
  const open = [
    { kind: 'data', text: '"$a" is a variable.' },
    { kind: 'code', text: '"$x" is a variable.' },
  ] as const;
  const subject = subjectOf({ source: 'user' }, reachOf('a', { entries: [], open }), 'user');
  const why = 'it is a hook of your own settings, and which program it runs in this project is unknown. "$x" is a variable.';
  expect(state(subject)).toEqual({ state: 'changed', reason: `${why} Read what it does, and decide: tenterhook trust.`, objects: 'ask' });
  expect(state(subjectOf({ source: 'user' }, reachOf('a', { open }), 'user'))?.reason).toBe(
    `${why} Also, it runs files of the project that are not trusted: ".hooks/guard.sh". Read what it does, and decide: tenterhook trust.`,
  );
  expect(state(subject, { trusted: recordsOf(subject) })).toEqual({ state: 'trusted', reason: '' });
});

test('a policy can forbid all hooks of repositories, and hooks that run code which cannot be listed', () => {
  const subject = subjectOf({}, reachOf('a', { open: [{ kind: 'data', text: '"$x" is a variable.' }] }));
  const decisions = { trusted: recordsOf(subject) };
  expect(state(subject, decisions, { forbidden: 'the policy forbids it.', all: true })).toEqual({
    state: 'refused',
    reason: 'the policy forbids it.',
  });
  expect(state(subject, decisions)?.state).toBe('trusted');
  expect(state(subject, decisions, { open: 'never' })).toEqual({
    state: 'refused',
    reason: 'the policy forbids hooks that run code which cannot be listed. "$x" is a variable.',
    objects: 'ask',
  });
  // A question whose answer could not count is not asked.
  expect(state(subject, {}, { open: 'never' })).toEqual({
    state: 'refused',
    reason: 'the policy forbids hooks that run code which cannot be listed. "$x" is a variable.',
  });
});

test('a hook of the user that runs files of the project asks until they are trusted', () => {
  const subject = subjectOf({ source: 'user' }, reachOf('a'), 'user');
  expect(state(subject)).toEqual({
    state: 'changed',
    reason: 'it runs files of the project that are not trusted: ".hooks/guard.sh". Read what it does, and decide: tenterhook trust.',
    objects: 'ask',
  });
  expect(state(subject, { trusted: recordsOf(subject) })?.state).toBe('trusted');
});

test('records of hooks that no file defines any more', () => {
  const gone = subjectOf({ eventName: 'AfterTool' });
  const decisions = { ...nothing, trusted: recordsOf(gone, subjectOf()) };
  expect(recordsGone([subjectOf({}, reachOf('b'))], decisions).map(({ pin }) => pin)).toEqual([gone.pin]);
});
