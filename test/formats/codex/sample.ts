import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { codex } from '@tenterhook/dialects';
import { type FormatSample, groupedBy, seconds, written } from '../format-sample.js';
import { capturedInputs } from './captured-inputs.js';

const before = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

/** A patch that Codex's hooks may return for the call of the conformance suite, which writes a file. */
const newFile = '*** Begin Patch\n*** Add File: /srv/app/b.txt\n+hello\n*** End Patch';

const project = 'project/.codex/hooks.json';
const user = 'home/.codex/hooks.json';

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });

export const sample: FormatSample = {
  project,
  user,
  shell: { name: 'Bash', matcher: 'Bash' },
  dialect: (etc) => codex({ managedFile: `${etc}/requirements.toml`, bypassHookTrust: true, ask: 'ask' }),
  settings: (hooks) =>
    written({
      hooks: groupedBy(hooks, 'PreToolUse', ({ command, timeoutMs, matcher, onError, mode, recheck }) => ({
        matcher,
        hooks: [{ type: 'command', command, timeout: seconds(timeoutMs), onError, mode, recheck }],
      })),
    }),
  switches: { features: { hooks: false } },
  answers: {
    allow: (input) => before({ permissionDecision: 'allow', updatedInput: input }),
    ask: (reason) => before({ permissionDecision: 'ask', permissionDecisionReason: reason }),
    rewrite: (input) => before({ permissionDecision: 'allow', updatedInput: input }),
  },
  dropsCopies: false,
  review(places, command, matcher) {
    const definition = { event_name: 'pre_tool_use', hooks: [{ async: false, command, timeout: 600, type: 'command' }], matcher };
    const hash = createHash('sha256').update(JSON.stringify(definition)).digest('hex');
    const states = [project, user].flatMap((file) => {
      if (places.read(file) === undefined) return [];
      const key = `${realpathSync(places.at(file))}:pre_tool_use:0:0`;
      return [`[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "sha256:${hash}"\n`];
    });
    places.write('home/.codex/config.toml', states.join('\n'));
  },
  conformance: {
    answers: {
      eventName: 'BeforeTool',
      deny: before({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      allow: before({ permissionDecision: 'allow', updatedInput: { command: newFile } }),
    },
    unreadable: () => 'failed',
    sharedEvents: Object.keys(codex().events ?? {}).filter((event) => event !== 'Interrupt'),
  },
  captured: capturedInputs,
  migration: {
    guards: ({ noRemoval, noSecrets, never, noWords, log }) => ({
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [command(noRemoval, { timeout: 5 })] },
          { matcher: 'apply_patch', hooks: [command(noSecrets, { onError: 'block', statusMessage: 'looking for keys' })] },
          { matcher: 'mcp__gh__.*', hooks: [command(never)] },
        ],
        UserPromptSubmit: [{ hooks: [command(noWords)] }],
        PostToolUse: [{ hooks: [command(log)] }],
      },
    }),
    matchers: [
      'Bash',
      'apply_patch',
      'Edit|Write',
      'mcp__gh__.*',
      'mcp__.*',
      'Bash|apply_patch',
      '^Bash$',
      'apply.*',
      'startup',
      'startup|compact',
      'auto',
      'manual',
      '*',
    ],
    closesSecrets: true,
  },
  tools: { tool: 'Bash', absoluteFiles: true },
  relay: {
    file: '.codex/hooks.json',
    strict: true,
    own: '{ "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "mine" } ] } ] } }',
    event: 'PreToolUse',
    denied: /"permissionDecision":"deny"/,
  },
};
