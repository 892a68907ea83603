import { acceptAll, callTool, denying, formats, guard, statesIn, withRepository } from './repository.js';

const settings = 'project/.claude/settings.json';
const script = 'project/guard.sh';
const accepted = { timeout: 30 };

/** A guard that was accepted is changed in its settings, as a tool of the model could do it. */
test.each<[string, object]>([
  ['async', guard('./guard.sh', { ...accepted, async: true })],
  ['a condition', guard('./guard.sh', { ...accepted, if: 'Bash(zzz)' })],
  ['a matcher', { hooks: { PreToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: './guard.sh', ...accepted }] }] } }],
  ['a timeout', guard('./guard.sh', { timeout: 1 })],
])('a trusted guard is not switched off by %s', (_, changed) =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('./guard.sh', accepted));
    places.write(script, denying('guarded'), 0o755);
    await discover(async (scene) => {
      await acceptAll(scene);
      expect((await callTool(scene)).kind).toBe('deny');
      places.write(settings, changed);
      await scene.hooks.reload();
      expect(statesIn(scene)).toEqual(['changed']);
      expect((await callTool(scene)).kind).toBe('ask');
    });
  }),
);

test('a trusted guard that fails closed denies, also if it would no longer', () =>
  withRepository(async (places, discover) => {
    const write = (onError: 'block' | 'continue') =>
      places.write('project/.llxprt/settings.json', {
        tools: { enableHooks: true },
        ...formats.llxprt.settings([{ command: './guard.sh', onError }]),
      });
    write('block');
    places.write(script, '#!/bin/sh\nexit 0\n', 0o755);
    await discover(async (scene) => {
      await acceptAll(scene);
      expect((await callTool(scene)).kind).toBe('none');
      write('continue');
      await scene.hooks.reload();
      expect((await callTool(scene)).kind).toBe('deny');
    });
  }));

test('a version that the user has denied does not switch off the one that is trusted', () =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('./guard.sh'));
    places.write(script, '#!/bin/sh\nexit 0\n', 0o755);
    await discover(async (scene) => {
      const [bad] = scene.hooks.trust.requests();
      await scene.hooks.trust.deny(bad?.pin ?? '');
      // Without a version that is trusted, a denial is the end of it.
      expect((await callTool(scene)).kind).toBe('none');
      places.write(script, denying('guarded'), 0o755);
      await scene.hooks.reload();
      await acceptAll(scene);
      expect((await callTool(scene)).kind).toBe('deny');
      places.write(script, '#!/bin/sh\nexit 0\n', 0o755);
      const { kind, reason } = await callTool(scene);
      expect(kind).toBe('ask');
      expect(reason).toMatch('it must not run');
      expect(statesIn(scene)).toEqual(['denied']);
    });
  }));
