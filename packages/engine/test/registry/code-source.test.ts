import { HookSystem } from '../../src/hook-system.js';
import { answering, fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

function systemOf(isTrusted: (source: string) => boolean, fields: Parameters<typeof hookOf>[1]) {
  return new HookSystem({
    projectDir: '/srv/app',
    dialects: [fakeDialect()],
    sources: [sourceOf([hookOf('a', fields)])],
    executors: [answering({ a: { decision: 'deny', reason: 'ran' } })],
    isTrusted,
  });
}

const ofProject = { source: 'user', file: '/home/me/hooks.json', codeSource: 'project' };

test.each([
  ['of both sources is trusted', [] as string[], undefined],
  ['of its settings is not', ['user'], 'a of /home/me/hooks.json does not run: its source "user" is not trusted.'],
  [
    'of what it runs is not',
    ['project'],
    'a of /home/me/hooks.json does not run: the code that it runs belongs to the source "project", which is not trusted.',
  ],
])('a hook that runs what belongs to another source, where the host %s', async (_, untrusted, reason) => {
  const system = systemOf((source) => !untrusted.includes(source), ofProject);
  const { outcomes, verdict } = await system.getEventHandler().fireBeforeToolEvent('write_file', {});
  await system.dispose();
  expect(verdict.kind).toBe(reason === undefined ? 'deny' : 'none');
  if (reason === undefined) return;
  expect(outcomes).toMatchObject([{ status: 'skipped', skipReason: 'untrusted', warnings: [{ code: 'untrusted', message: reason }] }]);
});

test('the host is asked about each source once, with the hook', async () => {
  const asked: [string, string][] = [];
  const isTrusted = (source: string, hook: { id: string }) => asked.push([source, hook.id]) > 0;
  await systemOf(isTrusted as never, ofProject).dispose();
  await systemOf(isTrusted as never, { source: 'user', codeSource: 'user' }).dispose();
  await systemOf(isTrusted as never, { source: 'user' }).dispose();
  expect(asked).toEqual([
    ['user', 'a'],
    ['project', 'a'],
    ['user', 'a'],
    ['user', 'a'],
  ]);
});

test('a host that throws for what a hook runs has not said yes', async () => {
  const system = systemOf((source) => {
    if (source === 'project') throw new Error('cannot tell');
    return true;
  }, ofProject);
  expect(system.explain('BeforeTool', { tool_name: 'write_file' }).hooks).toMatchObject([{ wouldRun: false, skipReason: 'untrusted' }]);
  await system.dispose();
});
