import { cursor } from '@tenterhook/dialects';
import { type FormatSample, groupedBy, seconds, written } from '../format-sample.js';
import { capturedInputs } from './captured-inputs.js';

const ofShell = (text: string) => ({ tool_name: 'run_shell_command', tool_input: { command: text } });
const ofRead = (text: string) => ({ tool_name: 'read_file', tool_input: { file_path: '/srv/app/a.txt', note: text } });
const ofMcp = (text: string) => ({
  tool_name: 'mcp_gh_search',
  tool_input: { q: text },
  mcp_context: { server_name: 'gh', tool_name: 'search' },
});
const response = (text: string) => ({ tool_response: { llmContent: text, returnDisplay: text } });

/** The events on which Cursor denies if it cannot read the answer. */
const permissions = ['preToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile', 'subagentStart', 'beforeTabFileRead'];

export const sample: FormatSample = {
  project: 'project/.cursor/hooks.json',
  user: 'home/.cursor/hooks.json',
  shell: { name: 'Shell', matcher: '^Shell$' },
  dialect: (etc) => cursor({ managedFile: `${etc}/cursor.json`, ask: 'ask' }),
  settings: (hooks) =>
    written({
      version: 1,
      hooks: groupedBy(hooks, 'preToolUse', ({ command, timeoutMs, matcher, onError, mode, recheck }) => ({
        command,
        matcher,
        timeout: seconds(timeoutMs),
        failClosed: onError === undefined ? undefined : onError === 'block',
        mode,
        recheck,
      })),
    }),
  switches: { disableAllHooks: true },
  answers: {
    allow: () => ({ permission: 'allow' }),
    ask: (reason) => ({ permission: 'ask', agent_message: reason }),
    rewrite: (input) => ({ updated_input: input }),
  },
  dropsCopies: true,
  startsUserHooksElsewhere: true,
  conformance: {
    answers: { eventName: 'BeforeTool', deny: { permission: 'deny', agent_message: 'no' }, allow: { permission: 'allow' } },
    outputFields: [
      'permission',
      'user_message',
      'agent_message',
      'updated_input',
      'additional_context',
      'continue',
      'updated_mcp_tool_output',
      'env',
      'pluginPaths',
    ],
    unreadable: (event) => (permissions.includes(event) ? 'deny' : 'failed'),
    eventFields: {
      beforeShellExecution: ofShell,
      beforeMCPExecution: ofMcp,
      beforeReadFile: ofRead,
      postToolUseFailure: (text) => ({ tool_response: { llmContent: text, error: { message: 'no such file' } } }),
      afterShellExecution: (text) => ({ ...ofShell(text), ...response(text) }),
      afterMCPExecution: (text) => ({ ...ofMcp(text), ...response(text) }),
      afterFileEdit: response,
    },
  },
  captured: capturedInputs,
  migration: {
    guards: ({ noRemoval, noSecrets, never, noWords, log }) => ({
      version: 1,
      hooks: {
        preToolUse: [
          { matcher: '^Shell$', command: noRemoval, timeout: 5 },
          { matcher: '^Write$', command: noSecrets, failClosed: true },
          { matcher: '^MCP:search$', command: never },
        ],
        beforeSubmitPrompt: [{ command: noWords }],
        postToolUse: [{ command: log }],
        postToolUseFailure: [{ command: log }],
      },
    }),
    matchers: ['Shell', '^Shell$', 'Write', '^(Read|Write)$', 'MCP:search', '^MCP:.*', 'MCP:get_.*', 'Grep', 'S.*', '*', 'startup'],
    closesSecrets: true,
    ignoresServers: true,
    failsInSilence: true,
  },
  tools: { tool: 'Write', absoluteFiles: true },
  relay: {
    file: '.cursor/hooks.json',
    own: '{\n  "version": 1,\n  "hooks": { "stop": [ { "command": "mine" } ] }\n}\n',
    event: 'preToolUse',
    denied: /"permission":"deny"/,
    message: /"user_message"/,
  },
};
