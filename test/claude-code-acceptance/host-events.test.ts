import { deeds, hooksOf, seen, withClaude } from './claude-hooks.js';
import { hostMoments, moment, moments } from './moments.js';

const model = { llm_request: { model: 'm-1' } };

test.each([
  ['BeforeModel', model],
  ['AfterModel', { ...model, llm_response: { text: 'hi' } }],
  ['BeforeToolSelection', model],
])('claude 34: %s fires where only hooks of this format are configured: no process, and the verdict is none', async (eventName, input) => {
  const every = Object.assign({}, ...[...moments, ...hostMoments].map(([event]) => hooksOf(event, 'touch ran')));
  await withClaude(every, async ({ hooks, handler, read, progress }) => {
    expect(hooks.has(eventName)).toBe(false);
    const result = await handler.fire(eventName, input);
    expect(result).toMatchObject({ verdict: { kind: 'none', stop: false }, outcomes: [] });
    expect(read('ran')).toBeUndefined();
    expect(progress.filter(({ kind }) => kind === 'hook-started')).toEqual([]);
  });
});

test('claude §4: each event runs its own hooks and no other', async () => {
  const every = [...moments, ...hostMoments];
  const hooks = Object.assign({}, ...every.map(([event]) => hooksOf(event, `echo ${event} >> ran`)));
  await withClaude(hooks, async ({ hooks: system, handler, read }) => {
    expect(system.diagnostics).toEqual([]);
    for (const [event, eventName, input] of every) {
      const ran = (await handler.fire(eventName, input)).outcomes.filter(({ status }) => status !== 'skipped');
      expect([event, ran.map(({ status }) => status)]).toEqual([event, ['succeeded']]);
    }
    expect(read('ran')).toBe(every.map(([event]) => `${event}\n`).join(''));
  });
});

test.each(hostMoments)(
  'claude §4 host events: a hook on %s is listed, and runs when the host publishes it',
  async (event, eventName, input) => {
    await withClaude(hooksOf(event, 'cat > seen.json'), async (scene) => {
      const [hook] = scene.hooks.hooks[eventName];
      expect(hook).toMatchObject({ dialect: 'claude-code', eventName, dialectEvent: event });
      expect(deeds(await scene.handler.fire(eventName, input))).toEqual(['succeeded']);
      expect(seen(scene)['hook_event_name']).toBe(event);
    });
  },
);

/** Those that functions of the agent side fire as well. */
const firedByAgent = ['PermissionRequest', 'PostCompact'];

test.each(hostMoments.filter(([event]) => !firedByAgent.includes(event)))(
  'claude §4 host events: explain says of %s that it runs only when the host publishes it',
  async (event, eventName, input) => {
    await withClaude(hooksOf(event, 'true'), async ({ hooks }) => {
      expect(hooks.explain(eventName, input).hooks).toMatchObject([{ wouldRun: true, reason: expect.stringMatching(/publish/) }]);
    });
  },
);

test.each(moments)('claude §4 host events: of %s it does not say so', async (event, eventName, input) => {
  await withClaude(hooksOf(event, 'true'), async ({ hooks }) => {
    const [explained] = hooks.explain(eventName, input).hooks;
    expect(explained).toMatchObject({ wouldRun: true });
    expect(explained?.reason).not.toMatch(/publish/);
  });
});

test('claude §4 host events: a subagent that a hook sends on', async () => {
  const [event, eventName, input] = moment('SubagentStop');
  await withClaude(hooksOf(event, 'echo look again >&2; exit 2', { matcher: 'reviewer' }), async ({ handler }) => {
    expect((await handler.fire(eventName, input)).verdict).toMatchObject({ kind: 'deny', reason: 'look again' });
    expect(deeds(await handler.fire(eventName, { ...input, agent_type: 'other' }))).toEqual(['skipped: matcher']);
  });
});

test('claude §4 host events: the path on stdout of a WorktreeCreate hook is that of the worktree', async () => {
  const [event, eventName, input] = moment('WorktreeCreate');
  await withClaude(hooksOf(event, 'echo making it >&2; echo /srv/w1'), async ({ handler }) => {
    const result = await handler.fire(eventName, input);
    expect(result.finalOutput?.hookSpecificOutput).toMatchObject({ worktreePath: '/srv/w1' });
    expect(result.verdict.kind).toBe('none');
  });
});
