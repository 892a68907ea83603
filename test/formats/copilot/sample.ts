import { copilot } from '@tenterhook/dialects';
import { type FormatSample, groupedBy, seconds, written } from '../format-sample.js';
import { capturedInputs } from './captured-inputs.js';

const ofMcp = (text: string) => ({
  tool_name: 'mcp_gh_search',
  tool_input: { q: text },
  mcp_context: { server_name: 'gh', tool_name: 'search' },
});

/** Events that only Copilot has, also with a capital letter. */
const ownEvents = /^(?:preMcp|userPrompt|agentStop|permissionRequest|errorOccurred|postResult|prePR)/;

export const sample: FormatSample = {
  project: 'project/.github/hooks/hooks.json',
  user: 'home/.copilot/hooks/hooks.json',
  shell: { name: 'bash', matcher: 'bash' },
  dialect: (etc) => copilot({ managedFolder: `${etc}/copilot` }),
  settings: (hooks) =>
    written({
      version: 1,
      hooks: groupedBy(hooks, 'preToolUse', ({ command, timeoutMs, matcher, onError, env, mode, recheck }) => ({
        type: 'command',
        bash: command,
        matcher,
        timeoutSec: seconds(timeoutMs),
        onError,
        env,
        mode,
        recheck,
      })),
    }),
  switches: { disableAllHooks: true },
  answers: {
    allow: () => ({ permissionDecision: 'allow' }),
    ask: (reason) => ({ permissionDecision: 'ask', permissionDecisionReason: reason }),
    rewrite: (input) => ({ modifiedArgs: input }),
  },
  dropsCopies: false,
  conformance: {
    answers: {
      eventName: 'BeforeTool',
      deny: { permissionDecision: 'deny', permissionDecisionReason: 'no' },
      allow: { permissionDecision: 'allow' },
    },
    outputFields: [
      'permissionDecision',
      'permissionDecisionReason',
      'modifiedArgs',
      'modifiedResult',
      'additionalContext',
      'decision',
      'reason',
      'behavior',
      'message',
      'interrupt',
    ],
    matchers: ['bash', 'create|edit', 'create', 'mcp_.*', 'view', '.*_file'],
    sharedEvents: Object.keys(copilot().events ?? {}).filter((event) => !ownEvents.test(event)),
    eventFields: {
      preMcpToolCall: ofMcp,
      postToolUseFailure: (text) => ({ tool_response: { llmContent: text, error: { message: 'no such file' } } }),
    },
  },
  captured: capturedInputs,
  migration: {
    guards: ({ noRemoval, noSecrets, never, noWords, log }) => ({
      version: 1,
      hooks: {
        preToolUse: [
          { type: 'command', bash: noRemoval, matcher: 'bash', timeoutSec: 5 },
          { type: 'command', bash: noSecrets, matcher: 'create|edit', env: { LEVEL: 'strict' }, onError: 'block' },
          { type: 'command', bash: never, matcher: 'mcp_gh_.*' },
        ],
        userPromptSubmitted: [{ type: 'command', bash: noWords }],
        postToolUse: [{ type: 'command', bash: log }],
        postToolUseFailure: [{ type: 'command', bash: log }],
      },
    }),
    matchers: [
      'bash',
      'create|edit',
      'create',
      'view',
      'mcp_gh_.*',
      'mcp_.*',
      'mcp_fs_write_file',
      'grep',
      'web.*',
      'manual',
      'auto',
      'edit',
    ],
    ignoresExit2OnPrompts: true,
    closesSecrets: true,
  },
  tools: { tool: 'create', absoluteFiles: true },
  relay: {
    file: '.copilot/hooks/tenterhook.json',
    strict: true,
    own: '{ "version": 1, "hooks": { "sessionEnd": [ { "type": "command", "bash": "mine" } ] } }\n',
    event: 'PreToolUse',
    denied: /"permissionDecision":"deny"/,
    message: /"type":"progress"/,
  },
};
