import { antigravity } from '@tenterhook/dialects';
import { type FormatSample, seconds, type WrittenHook, written } from '../format-sample.js';
import { capturedInputs } from './captured-inputs.js';

/** The hooks of these events are in groups with a matcher. Those of the others are a plain list. */
const toolEvents = ['PreToolUse', 'PostToolUse'];

/** Returns settings in which hooks with a name have a named group each. */
function settings(hooks: readonly WrittenHook[]) {
  const groups: Record<string, Record<string, object[]>> = {};
  for (const { name = 'guards', event = 'PreToolUse', matcher, command, timeoutMs, onError, mode, recheck } of hooks) {
    const entry = { type: 'command', command, timeout: seconds(timeoutMs), onError, mode, recheck };
    const group = groups[name] ?? {};
    group[event] = [...(group[event] ?? []), toolEvents.includes(event) ? { matcher, hooks: [entry] } : entry];
    groups[name] = group;
  }
  return written(groups);
}

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });

export const sample: FormatSample = {
  project: 'project/.agents/hooks.json',
  user: 'home/.gemini/config/hooks.json',
  shell: { name: 'run_command', matcher: 'run_command' },
  dialect: () => antigravity(),
  settings,
  switches: { guards: { enabled: false } },
  answers: {
    allow: () => ({ decision: 'allow' }),
    ask: (reason) => ({ decision: 'ask', reason }),
    rewrite: (input) => ({ decision: 'allow', overwrite: input }),
  },
  dropsCopies: false,
  startsUserHooksElsewhere: true,
  conformance: {
    answers: {
      eventName: 'BeforeTool',
      deny: { decision: 'deny', reason: 'no' },
      allow: { decision: 'allow' },
    },
    outputFields: ['decision', 'reason', 'overwrite', 'permissionOverrides', 'injectSteps', 'terminationBehavior'],
    matchers: ['run_command', 'write_to_file|replace_file_content', '^write_to_file$', 'mcp__.*', 'call_mcp_tool', 'view_file', '.*_file'],
    unreadable: (event) => (event === 'PreToolUse' ? 'deny all' : 'no opinion'),
  },
  captured: capturedInputs,
  migration: {
    guards: ({ noRemoval, noSecrets, never, log }) => ({
      guards: {
        PreToolUse: [
          { matcher: '^run_command$', hooks: [command(noRemoval, { timeout: 5 })] },
          { matcher: '^(write_to_file|replace_file_content)$', hooks: [command(`LEVEL=strict; ${noSecrets}`, { onError: 'block' })] },
          { matcher: '^mcp__gh__', hooks: [command(never)] },
        ],
        PostToolUse: [{ hooks: [command(log)] }],
      },
    }),
    matchers: [
      'run_command',
      '^run_command$',
      'write_to_file|replace_file_content',
      '^write_to_file$',
      '^view_file$',
      '^(write_to_file|replace_file_content)$',
      '^list_dir$',
      'view_file',
      'mcp__gh__.*',
      'mcp__.*',
      'call_mcp_tool',
      'grep_search',
      'file',
      '^read_url',
    ],
    lacksPrompts: true,
    mergesServers: true,
    closesSecrets: true,
  },
  tools: { tool: 'write_to_file', absoluteFiles: true },
};
