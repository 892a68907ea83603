import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookDefinition } from '@tenterhook/protocol';
import { until } from '../../../../test/support/until.js';
import { ProjectTrust } from '../../src/gate/project-trust.js';
import { PrivateCopies } from '../../src/reach/copies/private-copies.js';
import { ReachProject } from '../../src/reach/files/project.js';
import { findReach } from '../../src/reach/find-reach.js';
import { openTrustStore } from '../../src/store/open-store.js';

const onUnix = process.platform === 'win32' ? test.skip : test;

let root: string;
let project: string;
let script: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'project-trust-'));
  project = join(root, 'project');
  script = join(project, 'guard.sh');
  mkdirSync(join(project, 'sub'), { recursive: true });
  writeFileSync(script, '#!/bin/sh\nexit 2\n');
  chmodSync(script, 0o755);
});
afterEach(() => rmSync(root, { recursive: true }));

function open(copies?: PrivateCopies): ProjectTrust {
  const reached = new ReachProject({ directory: project });
  return new ProjectTrust({
    copies,
    store: openTrustStore({ projectDir: project, directory: join(root, 'store'), home: root, environment: {}, platform: process.platform }),
    rules: { all: false, pinsOnly: false, open: 'allow', onChanged: 'ask' },
    pass: (run) => reached.pass(run),
    findReach: (command, cwd) => findReach(command, reached, cwd),
    isDiscovered: () => true,
    isInProject: () => true,
    isHome: false,
  });
}

const hook: HookDefinition = {
  id: 'guard',
  dialect: 'llxprt',
  source: 'project',
  eventName: 'BeforeTool',
  dialectEvent: 'BeforeTool',
  timeoutMs: 60_000,
  onError: 'continue',
  action: { kind: 'command', command: './guard.sh' },
  dialectData: {},
};
const loaded = () => ({
  hook,
  parts: {},
  command: { command: { kind: 'shell' as const, text: './guard.sh' }, cwd: project, variables: {} },
});

function openAccepted(copies?: PrivateCopies): ProjectTrust {
  const trust = open(copies);
  trust.load([loaded()]);
  for (const { pin } of trust.requests()) trust.accept(pin, 'host', new Date());
  expect(trust.beforeRun(hook, project)).not.toHaveProperty('reason');
  return trust;
}

test('a hook of an event that began before a reload is still looked at', () => {
  const trust = openAccepted();
  trust.load([]);
  expect(trust.beforeRun(hook, project)).not.toHaveProperty('reason');
  writeFileSync(script, '#!/bin/sh\nexit 0\n');
  expect(trust.beforeRun(hook, project)).toMatchObject({ objects: 'ask', reason: expect.stringContaining('guard.sh') });
});

test('a hook with a relative path is not trusted in another directory', () => {
  const trust = openAccepted();
  writeFileSync(join(project, 'sub/guard.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  expect(trust.beforeRun(hook, join(project, 'sub'))).toMatchObject({
    objects: 'ask',
    reason: expect.stringContaining('Relative paths in its command name other files there'),
  });
});

test('a pin that was shown is not accepted after a file has changed', () => {
  const trust = open();
  trust.load([loaded()]);
  const [request] = trust.requests();
  writeFileSync(script, '#!/bin/sh\nexit 0\n');
  expect(() => trust.accept(request?.pin ?? '', 'host', new Date())).toThrow('A file of the hook may have changed');
  expect(trust.requests()).toHaveLength(1);
  expect(trust.requests()[0]?.pin).not.toBe(request?.pin);
});

/** Waits until two changes of a file have different times on every system. */
const untilTimesDiffer = () => until('the file is old enough', () => Date.now() - Number(statSync(script).ctimeMs) > 40);
const start = (trust: ProjectTrust, cwd = project) => {
  const run = trust.beforeRun(hook, cwd);
  if ('reason' in run) throw new Error(run.reason);
  return run;
};

test('a file that is touched during a run is noticed, whatever its content', async () => {
  const trust = openAccepted();
  await untilTimesDiffer();
  const run = start(trust);
  expect(run.isUntouched()).toBe(true);
  writeFileSync(script, '#!/bin/sh\nexit 2\n');
  expect(run.isUntouched()).toBe(false);
});

test('it is noticed too if another run of the hook has looked at the file in between', async () => {
  const trust = openAccepted();
  await untilTimesDiffer();
  const run = start(trust);
  writeFileSync(script, '#!/bin/sh\nexit 2\n');
  await untilTimesDiffer();
  expect(start(trust).isUntouched()).toBe(true);
  expect(run.isUntouched()).toBe(false);
});

test('a file that changed right before the start may have changed again since', () => {
  const trust = openAccepted();
  // A busy machine may pause this process between the change and the start.
  const starts = Array.from({ length: 10 }, () => {
    utimesSync(script, 1, 1);
    return start(trust).isUntouched();
  });
  expect(starts).toContain(false);
});

onUnix('a hook that is refused runs again after the cause has ended', () => {
  const trust = openAccepted();
  const kept = join(project, 'kept.sh');
  renameSync(script, kept);
  execFileSync('mkfifo', [script]);
  expect(trust.beforeRun(hook, project)).toMatchObject({ reason: expect.stringContaining('guard.sh') });
  expect(trust.stateOf('guard')?.state).toBe('refused');
  rmSync(script);
  renameSync(kept, script);
  trust.refresh();
  expect(trust.stateOf('guard')?.state).toBe('trusted');
});

/** The text of the script that a command runs, which may be a copy. */
const textOf = (command: unknown) => readFileSync((command as { file: string }).file, 'utf8');

onUnix('no copy is made of changed files for a hook of an event that began before a reload', () => {
  const copies = new PrivateCopies();
  try {
    const trust = openAccepted(copies);
    const { command } = loaded().command;
    expect(textOf(trust.commandOf(hook, command, project))).toBe('#!/bin/sh\nexit 2\n');
    trust.load([]);
    writeFileSync(script, '#!/bin/sh\nexit 0\n');
    expect(trust.commandOf(hook, command, project)).toMatchObject({ objects: 'ask', reason: expect.stringContaining('guard.sh') });
  } finally {
    copies.dispose();
  }
});

test('a hook of an event that began before a reload does not run in another directory after it was denied', () => {
  const trust = openAccepted();
  const sub = join(project, 'sub');
  writeFileSync(join(sub, 'guard.sh'), '#!/bin/sh\nexit 2\n', { mode: 0o755 });
  const other = open();
  const inSub = { ...loaded(), command: { ...loaded().command, cwd: sub } };
  other.load([inSub]);
  for (const { pin } of other.requests()) other.accept(pin, 'host', new Date());
  trust.load([loaded()]);
  expect(trust.beforeRun(hook, sub)).not.toHaveProperty('reason');
  const before = loaded();
  trust.load([{ ...before, hook: { ...hook, action: { ...hook.action } } }]);
  for (const { pin } of trust.entries()) trust.deny(pin, 'host', new Date());
  expect(trust.beforeRun(hook, project)).toHaveProperty('reason');
  expect(trust.beforeRun(hook, sub)).toHaveProperty('reason');
});

test('a hook that begins to depend on its directory is checked in the directory in which it runs', () => {
  const [fixed, relative] = [`#!/bin/sh\n. ${join(project, 'a.sh')}\n`, '#!/bin/sh\n. ./a.sh\n'];
  writeFileSync(join(project, 'a.sh'), 'exit 2\n');
  writeFileSync(join(project, 'sub/a.sh'), 'exit 0\n');
  const absolute = () => ({ ...loaded(), command: { ...loaded().command, command: { kind: 'shell' as const, text: script } } });
  const trust = open();
  for (const text of [relative, fixed]) {
    writeFileSync(script, text);
    trust.load([absolute()]);
    for (const { pin } of trust.requests()) trust.accept(pin, 'host', new Date());
    expect(trust.beforeRun(hook, project)).not.toHaveProperty('reason');
  }
  expect(trust.beforeRun(hook, join(project, 'sub'))).not.toHaveProperty('reason');
  writeFileSync(script, relative);
  expect(trust.beforeRun(hook, join(project, 'sub'))).toMatchObject({ reason: expect.stringContaining('Relative paths') });
});
