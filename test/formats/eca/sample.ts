import { eca } from '@tenterhook/dialects';
import { type FormatSample, written } from '../format-sample.js';
import { capturedInputs } from './captured-inputs.js';

export const sample: FormatSample = {
  project: 'project/.eca/config.json',
  user: 'home/.config/eca/config.json',
  shell: { name: 'shell_command', matcher: 'eca__shell_command' },
  dialect: () => eca(),
  settings: (hooks) =>
    written({
      hooks: Object.fromEntries(
        hooks.map(({ event = 'preToolCall', command, matcher, timeoutMs, onError, mode, recheck, ...hook }, index) => [
          hook.name ?? `guard${index}`,
          {
            type: event,
            matcher,
            onError,
            mode,
            recheck,
            runOnError: event === 'postToolCall' ? hook.runsOnError : undefined,
            actions: [{ type: 'shell', shell: command, timeout: timeoutMs }],
          },
        ]),
      ),
    }),
  switches: {},
  answers: {
    allow: () => ({ approval: 'allow' }),
    ask: (reason) => ({ approval: 'ask', additionalContext: reason }),
    rewrite: (input) => ({ updatedInput: input }),
  },
  dropsCopies: false,
  conformance: {
    answers: { eventName: 'BeforeTool', deny: { approval: 'deny', additionalContext: 'no' }, allow: { approval: 'allow' } },
    // Without `followUp`, because any text in it is a decision.
    outputFields: [
      'approval',
      'additionalContext',
      'updatedInput',
      'replacedPrompt',
      'replacedOutput',
      'systemMessage',
      'continue',
      'stopReason',
      'suppressOutput',
    ],
  },
  captured: capturedInputs,
  migration: {
    guards: ({ noRemoval, noSecrets, never, noWords, log }) => ({
      hooks: {
        'no-removal': { type: 'preToolCall', matcher: 'eca__shell_command', actions: [{ type: 'shell', shell: noRemoval, timeout: 5000 }] },
        'no-secrets': {
          type: 'preToolCall',
          matcher: 'eca__(write|edit)_file',
          visible: false,
          actions: [{ type: 'shell', shell: noSecrets }],
        },
        'no-server': { type: 'preToolCall', matcher: 'gh__.*', actions: [{ type: 'shell', shell: never }] },
        prompt: { type: 'preRequest', actions: [{ type: 'shell', shell: noWords }] },
        log: { type: 'postToolCall', runOnError: true, actions: [{ type: 'shell', shell: log }] },
      },
    }),
    matchers: [
      'eca__shell_command',
      'eca__(write|edit)_file',
      'gh__.*',
      'eca__.*',
      '.*__write_file',
      'eca__read_file|docs__search',
      '.*',
      'fs__write.*',
      'gh__get_issue',
    ],
  },
  tools: { tool: 'write_file', absoluteFiles: false, fileOfOthers: 'path' },
  relay: {
    file: '.config/eca/config.json',
    own: '{"hooks": {"mine": {"type": "preToolCall", "actions": [{"type": "shell", "shell": "mine"}]}}}\n',
    event: 'preToolCall',
    denied: /"approval":"deny"/,
  },
};
