import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../../support/fire-hooks.js';
import { runCli } from '../../support/run-cli.js';
import { groupOf, hooksOf, withClaude } from './claude-hooks.js';

const cwd = freshDirectory('values');
afterAll(() => rmSync(cwd, { recursive: true }));

/** Fires an event with the few fields that a hook reads, and returns what the hook read on stdin. */
async function givenTo(event: string, fields: object, matcher?: string): Promise<Record<string, unknown>> {
  mkdirSync(join(cwd, '.claude'), { recursive: true });
  rmSync(join(cwd, 'seen.json'), { force: true });
  const group = groupOf('cat > seen.json', matcher === undefined ? {} : { matcher });
  writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks: { [event]: [group] } }));
  const args = ['fire', event, '--dialect', 'claude-code', '--input', JSON.stringify(fields)];
  const { status, stdout } = await runCli(args, { cwd, home: '/nowhere' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('✓') });
  return JSON.parse(readFileSync(join(cwd, 'seen.json'), 'utf8'));
}

/** The values that a message names for a matcher with another value. */
async function namedValues(event: string): Promise<string[]> {
  return withClaude(hooksOf(event, 'true', { matcher: 'no-such-value' }), async ({ hooks }) => {
    const [, values = ''] = / is one of ([^.]+)\./.exec(hooks.diagnostics[0]?.message ?? '') ?? [];
    return values.split(', ');
  });
}

test.each([
  ['SessionStart', 'source', {}, 5],
  ['SessionEnd', 'reason', {}, 5],
  ['PreCompact', 'trigger', {}, 2],
  ['PostCompact', 'trigger', {}, 2],
  ['Setup', 'trigger', {}, 2],
  ['ConfigChange', 'source', {}, 5],
  ['InstructionsLoaded', 'load_reason', { file_path: '/srv/CLAUDE.md' }, 5],
  ['DirectoryAdded', 'source', { directory: '/srv/lib' }, 2],
])('%s: every value of %s that a matcher may have can be fired, and reaches the hook', async (event, field, others, count) => {
  const values = await namedValues(event);
  expect(values).toHaveLength(count);
  for (const value of values) expect(await givenTo(event, { ...others, [field]: value }, value)).toMatchObject({ [field]: value });
});

test.each([
  ['Notification', { notification_type: 'auth_success', message: 'Signed in.', title: 'Claude Code' }],
  ['SessionStart', { source: 'fork', model: 'large', session_id: 's-9', transcript_path: '/srv/t.jsonl' }],
  ['SessionEnd', { reason: 'resume', permission_mode: 'plan' }],
  ['PreCompact', { trigger: 'auto', custom_instructions: 'Keep the names.' }],
  ['Stop', { stop_hook_active: true, last_assistant_message: 'Done.' }],
])('%s as Claude Code sends it needs no other field: a hook reads %j again', async (event, fields) => {
  const given = await givenTo(event, { hook_event_name: event, ...fields });
  expect(given).toMatchObject({ hook_event_name: event, ...fields });
  expect(given).not.toHaveProperty('details');
});
