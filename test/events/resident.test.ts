import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookOutcome } from '@tenterhook/protocol';
import { isRunning } from '../faults/process-state.js';
import { outcomeAt, type Scene, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';
import { withPlaces } from '../support/places.js';
import { root } from '../support/sources.js';
import { until } from '../support/until.js';
import { acceptAll, statesIn, withRepository } from '../trust/repository.js';

const adapter = join(root, 'packages/tenterhook/adapters/resident.sh');

/** A script that denies with this reason and its process, as resident hook and with a process for each event. */
const denying = (reason: string) => `. ${adapter}
deny() { cat >/dev/null; echo "${reason} $$" >&2; return 2; }
answer_events deny
`;

/** Fires an event that the only hook denies. Returns the reason, and the number of the process. */
async function deny(
  { handler }: Scene,
  fields: Record<string, unknown> = {},
): Promise<{ reason: string; pid: number; outcome: HookOutcome }> {
  const result = await handler.fire('BeforeTool', { tool_name: 'write_file', tool_input: {}, ...fields });
  expect(result.verdict.kind).toBe('deny');
  const [reason = '', pid] = (result.verdict.reason ?? '').split(' ');
  return { reason, pid: Number(pid), outcome: outcomeAt(result, 0) };
}

const gone = (pid: number) => until(`${pid} is gone`, () => !isRunning(pid));
const resident = { kind: 'resident' };

test('one process answers many events; an edited script and another directory have another process', async () => {
  await withHooks(
    { settings: settingsOf('BeforeTool', [{ command: 'bash "$LLXPRT_PROJECT_DIR"/guard.sh', mode: 'resident' }]) },
    async (scene) => {
      const script = join(scene.projectDir, 'guard.sh');
      writeFileSync(script, denying('first'));
      const [one, two] = [await deny(scene), await deny(scene)];
      expect([one.reason, two.pid, one.outcome.route]).toEqual(['first', one.pid, resident]);
      writeFileSync(script, denying('edited'));
      const three = await deny(scene);
      expect(three).toMatchObject({ reason: 'edited', outcome: { route: resident, warnings: [] } });
      await gone(one.pid);
      expect((await deny(scene, { cwd: '/' })).pid).not.toBe(three.pid);
      await gone(three.pid);
      expect(scene.hooks.explain('BeforeTool').hooks).toMatchObject([{ route: resident }]);
    },
  );
});

test('a reload ends the processes of changed and removed hooks, and keeps the others', async () => {
  await withPlaces(async (places) => {
    const script = places.write('home/guard.sh', denying('no'));
    const hook = (name: string, fields = {}) => ({ name, command: `bash ${script} ${name}`, mode: 'resident', ...fields });
    const write = (...hooks: object[]) =>
      places.write('home/.llxprt/settings.json', { tools: { enableHooks: true }, hooks: { BeforeTool: [{ hooks }] } });
    write(hook('kept'), hook('changed'), hook('removed'));
    await places.discover(async ({ hooks, handler }) => {
      const pids = async () => {
        const { outcomes } = await handler.fireBeforeToolEvent('write_file', {});
        return new Map(outcomes.map(({ name, stderr }) => [name, Number(stderr?.trim().split(' ')[1])]));
      };
      const before = await pids();
      write(hook('kept', { timeout: 5000 }), { ...hook('changed'), command: `bash ${script} other` });
      await hooks.reload();
      // No event follows.
      await Promise.all([gone(before.get('changed') as number), gone(before.get('removed') as number)]);
      const after = await pids();
      expect(after.get('kept')).toBe(before.get('kept'));
      expect([...after.keys()]).toEqual(['kept', 'changed']);
    });
    expect(readFileSync(script, 'utf8')).toBe(denying('no'));
  });
});

test('a hook of a repository is ended when its files are no longer those that the user trusts', async () => {
  await withRepository(async (places, discover) => {
    const imported = places.write('project/hooks/reason.sh', 'reason=first\n');
    places.write('project/hooks/guard.sh', `. "$LLXPRT_PROJECT_DIR"/hooks/reason.sh\n${denying('$reason')}`);
    const hook = { command: 'bash "$LLXPRT_PROJECT_DIR"/hooks/guard.sh', mode: 'resident' };
    places.write('project/.llxprt/settings.json', { tools: { enableHooks: true }, hooks: { BeforeTool: [{ hooks: [hook] }] } });
    await discover(async (scene) => {
      await acceptAll(scene);
      const first = await deny(scene);
      expect(first).toMatchObject({ reason: 'first', outcome: { route: resident } });
      writeFileSync(imported, 'reason=changed\n');
      const { verdict } = await scene.handler.fireBeforeToolEvent('write_file', {});
      expect(verdict.kind).toBe('ask');
      expect(statesIn(scene)).toEqual(['changed']);
      await gone(first.pid);
      await acceptAll(scene);
      const changed = await deny(scene);
      expect(changed).toMatchObject({ reason: 'changed', outcome: { route: resident } });
      // Changed and changed back: the process may have read something else in between.
      writeFileSync(imported, 'reason=evil\n');
      writeFileSync(imported, 'reason=changed\n');
      const restored = await deny(scene);
      expect(restored.reason).toBe('changed');
      expect(restored.pid).not.toBe(changed.pid);
    });
  });
});

test('a guard that was cut off by a rewrite is asked again by the same process', async () => {
  const guard = {
    name: 'guard',
    mode: 'resident',
    command: `. ${adapter}\nlook() { read -r event; case $event in *b.txt*) echo "$$ b" >&2; return 2;; esac; echo "$$ a" >&2; }\nanswer_events look`,
  };
  const rewrite = `echo '{"hookSpecificOutput":{"tool_input":{"path":"b.txt"}}}'`;
  await withHooks({ settings: settingsOf('BeforeTool', [guard, rewrite]) }, async ({ handler }) => {
    const { verdict, outcomes } = await handler.fireBeforeToolEvent('write_file', { path: 'a.txt' });
    expect(verdict).toMatchObject({ kind: 'deny' });
    const runs = outcomes.filter(({ name }) => name === 'guard');
    const [before, again] = runs.map(({ stderr }) => stderr?.trim().split(' ')) as [string[], string[]];
    expect([before[1], again[1], again[0]]).toEqual(['a', 'b', before[0]]);
    expect(runs[1]).toMatchObject({ recheck: true, route: resident });
  });
});

test('hooks of Claude Code that run in the background, or that get a file of the event, are reported, and are cold', async () => {
  const hook = (fields: object) => ({ hooks: [{ type: 'command', command: 'true', mode: 'resident', ...fields }] });
  const settings = { hooks: { PreToolUse: [hook({ async: true }), hook({ command: 'exit 0', timeout: 60 })], SessionStart: [hook({})] } };
  await withHooks({ settings, dialect: 'claude-code' }, async ({ hooks }) => {
    const modes = hooks.list().map(({ hook }) => hook.action.kind === 'command' && hook.action.mode);
    expect(modes).toEqual([undefined, 'resident', undefined]);
    expect(hooks.diagnostics).toMatchObject([
      { code: 'invalid_field', message: expect.stringContaining('the hook may run in the background') },
      { code: 'invalid_field', message: expect.stringContaining('CLAUDE_ENV_FILE is another file for each event') },
    ]);
  });
});

test('an unknown mode is reported', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', [{ command: 'true', mode: 'daemon' }]) }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', remedy: 'Write "resident" or "cold".' }]);
    const outcome = outcomeAt(await handler.fireBeforeToolEvent('write_file', {}), 0);
    expect([outcome.status, outcome.route?.kind === 'resident', warningCodes(outcome)]).toEqual(['succeeded', false, []]);
  });
});
