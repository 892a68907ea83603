import { claudeCode } from '@tenterhook/dialects';
import { withPlaces } from '../support/places.js';
import { callBash, preToolUse } from './claude-hooks.js';

const says = preToolUse('printf "%s-%s" "$SHARED" "$OWN" >&2; exit 2');

test('claude §7 environment: env of a settings file reaches the hooks of its level and of those below it, and no guard above', async () => {
  await withPlaces(async (places) => {
    places.write('project/.claude/settings.json', { env: { SHARED: 'project', OWN: 'p' }, hooks: says });
    places.write('home/.claude/settings.json', {
      env: { SHARED: 'user' },
      hooks: preToolUse('printf "%s+%s" "$SHARED" "$OWN" >&2; exit 2'),
    });
    places.write('etc/managed-settings.json', { hooks: preToolUse('printf "%s/%s" "$SHARED" "$OWN" >&2; exit 2') });
    const options = { dialects: [claudeCode({ managedFile: places.at('etc/managed-settings.json') })] };
    await places.discover(async ({ handler }) => {
      expect((await callBash(handler)).verdict.reason).toBe('project-p\nuser+\n/');
    }, options);
  });
});

test('claude §7 environment: what is no text in env is said and not set', async () => {
  await withPlaces(async (places) => {
    places.write('project/.claude/settings.json', { env: { SHARED: 1, OWN: 'p' }, hooks: says });
    await places.discover(
      async ({ hooks, handler }) => {
        expect((await callBash(handler)).verdict.reason).toBe('-p');
        expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', path: 'env.SHARED' }]);
      },
      { dialects: [claudeCode({ managedFile: '/no/such/file' })] },
    );
  });
});
