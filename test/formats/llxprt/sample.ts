import { llxprt } from '@tenterhook/dialects';
import { hookEventNames } from '@tenterhook/protocol';
import { type FormatSample, groupedBy, written } from '../format-sample.js';
import { capturedInputs } from './captured-inputs.js';

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });

export const sample: FormatSample = {
  project: 'project/.llxprt/settings.json',
  user: 'home/.llxprt/settings.json',
  shell: { name: 'run_shell_command', matcher: '^run_shell_command$' },
  dialect: (etc) => llxprt({ systemFile: `${etc}/llxprt.json` }),
  settings: (hooks) =>
    written({
      tools: { enableHooks: true },
      hooks: groupedBy(hooks, 'BeforeTool', ({ name, command, timeoutMs, matcher, onError, env, mode, recheck }) => ({
        matcher,
        hooks: [{ type: 'command', name, command, timeout: timeoutMs, onError, env, mode, recheck }],
      })),
    }),
  switches: { tools: { enableHooks: false } },
  answers: {
    allow: () => ({ decision: 'allow' }),
    ask: (reason) => ({ decision: 'ask', reason }),
    rewrite: (input) => ({ hookSpecificOutput: { tool_input: input } }),
  },
  dropsCopies: true,
  conformance: {
    answers: { eventName: 'BeforeTool', deny: { decision: 'deny', reason: 'no' }, allow: { decision: 'allow' } },
    sharedEvents: hookEventNames.slice(hookEventNames.indexOf('HostEnd') + 1),
  },
  captured: capturedInputs,
  migration: {
    guards: ({ noRemoval, noSecrets, never, noWords, log }) => ({
      tools: { enableHooks: true },
      hooks: {
        BeforeTool: [
          { matcher: '^run_shell_command$', hooks: [command(noRemoval, { name: 'no-removal', timeout: 5000 })] },
          { matcher: '^(write_file|replace)$', hooks: [command(noSecrets, { env: { LEVEL: 'strict' }, onError: 'block' })] },
          { matcher: 'mcp_gh_.*', hooks: [command(never)] },
        ],
        BeforeAgent: [{ hooks: [command(noWords)] }],
        AfterTool: [{ hooks: [command(log)] }],
      },
    }),
    matchers: [
      '^run_shell_command$',
      '^(write_file|replace)$',
      'write_file',
      'write_*',
      '*_file',
      'read_.*',
      'mcp_gh_.*',
      'mcp_*',
      '^mcp_.*_write',
      '.*',
      'glob|grep',
      '^r',
      'startup|resume',
      '^exit$',
      'exit',
      'manual',
      '^(?:read_file|read_many_files)$',
    ],
    closesSecrets: true,
  },
  relay: {
    file: '.llxprt/settings.json',
    own: '{\n    "tools": { "enableHooks": false }, // off\n    "theme": "mine"\n}',
    event: 'BeforeTool',
    denied: /"decision":"deny"/,
  },
};
