import { claudeCode } from '@tenterhook/dialects';
import { type FormatSample, groupedBy, seconds, written } from '../format-sample.js';
import { capturedInputs } from './captured-inputs.js';

const before = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });

export const sample: FormatSample = {
  project: 'project/.claude/settings.json',
  user: 'home/.claude/settings.json',
  shell: { name: 'Bash', matcher: 'Bash' },
  dialect: (etc) => claudeCode({ managedFile: `${etc}/managed-settings.json` }),
  settings: (hooks) =>
    written({
      // This format has variables for all hooks of a file.
      env: hooks.find(({ env }) => env !== undefined)?.env,
      hooks: groupedBy(hooks, 'PreToolUse', ({ command, timeoutMs, matcher, onError, mode, recheck }) => ({
        matcher,
        hooks: [{ type: 'command', command, timeout: seconds(timeoutMs), onFailure: onError, mode, recheck }],
      })),
    }),
  switches: { disableAllHooks: true },
  answers: {
    allow: () => before({ permissionDecision: 'allow' }),
    ask: (reason) => before({ permissionDecision: 'ask', permissionDecisionReason: reason }),
    rewrite: (input) => before({ updatedInput: input }),
  },
  dropsCopies: true,
  conformance: {
    answers: {
      eventName: 'BeforeTool',
      deny: before({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      allow: before({ permissionDecision: 'allow' }),
    },
    answersWith: (exitCode) => exitCode !== 2,
  },
  captured: capturedInputs,
  migration: {
    guards: ({ noRemoval, noSecrets, never, noWords, log }) => ({
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [command(noRemoval, { timeout: 5 })] },
          { matcher: 'Write|Edit', hooks: [command(noSecrets, { onFailure: 'block', statusMessage: 'looking for keys' })] },
          { matcher: 'mcp__gh__.*', hooks: [command(never)] },
        ],
        UserPromptSubmit: [{ hooks: [command(noWords)] }],
        PostToolUse: [{ hooks: [command(log)] }],
        PostToolUseFailure: [{ hooks: [command(log)] }],
      },
    }),
    matchers: [
      'Bash',
      'Edit|Write',
      'Edit, Write',
      'Edit.*',
      'mcp__gh__.*',
      'mcp__.*',
      'mcp__.*__write.*',
      '^Read$',
      'Read|Grep',
      'mcp__gh__(get|search).*',
      'startup',
      'startup|compact',
      'other',
      'clear|logout',
      'auto',
      'Web.*',
      '*',
    ],
    closesSecrets: true,
  },
  tools: { tool: 'Write', absoluteFiles: true },
  relay: {
    file: '.claude/settings.json',
    strict: true,
    own: '{\n\t"model": "m",\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}\n\t\t]\n\t}\n}\n',
    event: 'PreToolUse',
    denied: /"permissionDecision":"deny"/,
  },
};
