import { geminiCli } from '@tenterhook/dialects';
import { type FormatSample, groupedBy, written } from '../format-sample.js';
import { capturedInputs } from './captured-inputs.js';

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });

export const sample: FormatSample = {
  project: 'project/.gemini/settings.json',
  user: 'home/.gemini/settings.json',
  shell: { name: 'run_shell_command', matcher: '^run_shell_command$' },
  dialect: (etc) => geminiCli({ systemFile: `${etc}/gemini.json` }),
  settings: (hooks) =>
    written({
      hooks: groupedBy(hooks, 'BeforeTool', ({ name, command, timeoutMs, matcher, onError, env, mode, recheck }) => ({
        matcher,
        hooks: [{ type: 'command', name, command, timeout: timeoutMs, onError, env, mode, recheck }],
      })),
    }),
  switches: { hooksConfig: { enabled: false } },
  answers: {
    allow: () => ({ decision: 'allow' }),
    ask: (reason) => ({ decision: 'ask', reason }),
    rewrite: (input) => ({ hookSpecificOutput: { tool_input: input } }),
  },
  dropsCopies: true,
  conformance: {
    answers: { eventName: 'BeforeTool', deny: { decision: 'deny', reason: 'no' } },
    answersWith: (exitCode) => exitCode !== 2,
    readsStderr: true,
  },
  captured: capturedInputs,
  migration: {
    guards: ({ noRemoval, noSecrets, never, noWords, log }) => ({
      hooks: {
        BeforeTool: [
          { matcher: 'run_shell_command', hooks: [command(noRemoval, { name: 'no-removal', timeout: 5000 })] },
          { matcher: 'write_file|replace', sequential: true, hooks: [command(noSecrets, { description: 'looks for keys' })] },
          { matcher: '^mcp_gh_', hooks: [command(never)] },
        ],
        BeforeAgent: [{ hooks: [command(noWords)] }],
        AfterTool: [{ hooks: [command(log)] }],
      },
    }),
    matchers: [
      'run_shell_command',
      'write_file|replace',
      'read_.*',
      '^mcp_gh_',
      'mcp_.*',
      '^glob$',
      '^(write_file|replace)$',
      '^run_shell_command$',
      '^mcp_fs_write_file$',
      'startup',
      'compress',
      'other',
      'manual',
      '[rw].*_file',
    ],
  },
  relay: {
    file: '.gemini/settings.json',
    own: '{\r\n  // my hooks\r\n  "hooks": {\r\n    "BeforeTool": [ { "hooks": [ { "type": "command", "command": "mine" } ] }, /* last */ ],\r\n  },\r\n}\r\n',
    event: 'BeforeTool',
    denied: /"decision":"deny"/,
  },
};
