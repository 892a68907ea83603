import type { CreateHooksOptions } from 'tenterhook';
import { callBash, command, deeds, type HookGroups, hooksOf, preToolUse, withClaude } from './claude-hooks.js';
import { moment } from './moments.js';

/** Hooks from the front matter of a skill or of a subagent, which the host hands in. */
function fromFrontMatter(frontMatterOf: 'skill' | 'subagent', hooks: HookGroups): CreateHooksOptions {
  const extensions: NonNullable<CreateHooksOptions['extensions']> = [{ name: 'reviewer', hooks, dialect: 'claude-code', frontMatterOf }];
  return { settings: {}, extensions };
}

const [, subagentStop, stopInput] = moment('SubagentStop');

test('claude §1 once: in the front matter of a skill a hook runs once in a session', async () => {
  const hooks = preToolUse(command('echo ran >> ran', { once: true }));
  await withClaude(
    {},
    async ({ hooks: system, handler, read }) => {
      expect(system.diagnostics).toEqual([]);
      expect(deeds(await callBash(handler))).toEqual(['succeeded']);
      expect(deeds(await callBash(handler))).toEqual(['skipped: once']);
      expect(deeds(await callBash(handler))).toEqual(['skipped: once']);
      expect(read('ran')).toBe('ran\n');
    },
    fromFrontMatter('skill', hooks),
  );
});

test('claude §1 once: it has not run where its matcher did not fit', async () => {
  const hooks = preToolUse(command('true', { once: true }), { matcher: 'Bash' });
  await withClaude(
    {},
    async ({ handler }) => {
      expect(deeds(await handler.fireBeforeToolEvent('read_file', {}))).toEqual(['skipped: matcher']);
      expect(deeds(await callBash(handler))).toEqual(['succeeded']);
      expect(deeds(await callBash(handler))).toEqual(['skipped: once']);
    },
    fromFrontMatter('skill', hooks),
  );
});

test('claude §1 once: in settings it has no effect', async () => {
  await withClaude(preToolUse(command('true', { once: true })), async ({ hooks, handler }) => {
    expect(hooks.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(deeds(await callBash(handler))).toEqual(['succeeded']);
    expect(deeds(await callBash(handler))).toEqual(['succeeded']);
  });
});

test('claude §1 subagent: Stop in its front matter means SubagentStop', async () => {
  await withClaude(
    {},
    async ({ hooks: system, handler, read }) => {
      expect(system.has('AfterAgent')).toBe(false);
      expect(system.has('SubagentStop')).toBe(true);
      expect((await handler.fireAfterAgentEvent('p', 'r')).outcomes).toEqual([]);
      const result = await handler.fire(subagentStop, stopInput);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'not yet' });
      expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ hook_event_name: 'SubagentStop', agent_type: 'reviewer' });
    },
    fromFrontMatter('subagent', hooksOf('Stop', 'cat > seen.json; echo not yet >&2; exit 2')),
  );
});

test('claude §1 subagent: in the front matter of a skill Stop is Stop', async () => {
  await withClaude(
    {},
    async ({ hooks: system, handler }) => {
      expect(system.has('SubagentStop')).toBe(false);
      expect((await handler.fireAfterAgentEvent('p', 'r')).verdict.kind).toBe('deny');
    },
    fromFrontMatter('skill', hooksOf('Stop', 'exit 2')),
  );
});

test('claude §1 subagent: its other hooks are what they are, while the host says that it runs', async () => {
  await withClaude(
    {},
    async ({ hooks: system, handler }) => {
      expect((await callBash(handler)).verdict.kind).toBe('deny');
      await system.extensions.remove('reviewer');
      expect((await callBash(handler)).outcomes).toEqual([]);
      expect((await handler.fire(subagentStop, stopInput)).outcomes).toEqual([]);
    },
    fromFrontMatter('subagent', { ...preToolUse('exit 2'), ...hooksOf('Stop', 'exit 2') }),
  );
});

test('claude §3: the same command in settings and in a skill are two hooks', async () => {
  const same = preToolUse('echo ran >> ran');
  await withClaude(
    {},
    async ({ handler, read }) => {
      expect(deeds(await callBash(handler))).toEqual(['succeeded', 'succeeded']);
      expect(read('ran')).toBe('ran\nran\n');
    },
    { ...fromFrontMatter('skill', same), settings: { hooks: same } },
  );
});
