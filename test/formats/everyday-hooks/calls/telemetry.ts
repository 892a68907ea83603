import type { HookEventName } from '@tenterhook/protocol';
import type { Call, Collection } from '../collection.js';

const model = { from_model: 'a', to_model: 'b', requested_model: 'b', source: 'command', context_tokens: 1, cache_ttl: '5m' };

/** Claude Code's name of an event, its fields, and Tenterhook's name where that differs. */
const events: readonly (readonly [name: string, input: object, event?: HookEventName])[] = [
  ['PostToolBatch', { tool_calls: [{ tool_name: 'Read', tool_input: {}, tool_use_id: '1', tool_response: {} }] }],
  ['PermissionDenied', { tool_name: 'run_shell_command', tool_input: { command: 'ls' }, reason: 'no' }],
  ['TaskCreated', { task_id: '1', task_subject: 'look' }],
  ['TeammateIdle', { teammate_name: 'n', team_name: 't' }],
  ['PostCompact', { trigger: 'manual', compact_summary: 's' }, 'PostCompress'],
  ['Setup', { trigger: 'init' }],
  ['StopFailure', { error: 'rate_limit' }],
  ['MessageDisplay', { turn_id: '1', message_id: 'm', index: 0, final: true, delta: 'x' }],
  ['CwdChanged', { old_cwd: '/a', new_cwd: '/b' }],
  ['DirectoryAdded', { directory: '/a', source: 'command' }],
  ['FileChanged', { file_path: '{project}/.env', event: 'change' }],
  ['WorktreeRemove', { worktree_path: '/w' }],
  ['InstructionsLoaded', { file_path: '/CLAUDE.md', memory_type: 'Project', load_reason: 'session_start' }],
  ['ElicitationResult', { mcp_server_name: 'github', action: 'accept', content: { a: 1 } }],
  ['PreModelSwitch', model],
  ['PostModelSwitch', model],
];

const calls = events.map(
  ([name, input, event = name as HookEventName]): Call => ({
    title: name,
    event,
    input: { ...input },
    expected: { ran: 1, files: { [`project/${name}.txt`]: `${name} s1\n` } },
  }),
);

/** A plugin that counts the rarer events with one script, whose last command fails without an address. */
export const telemetry: Collection = {
  folder: 'telemetry',
  dialect: 'claude-code',
  extension: 'plugin',
  calls: [
    ...calls,
    {
      title: 'a file that is not watched',
      event: 'FileChanged',
      input: { file_path: '{project}/a.ts', event: 'change' },
      expected: { ran: 0 },
    },
    { title: 'an error that is not counted', event: 'StopFailure', input: { error: 'server_error' }, expected: { ran: 0 } },
  ],
};
