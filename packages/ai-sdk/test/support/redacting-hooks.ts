import { HookEngine } from '@tenterhook/handlers';
import type { CreateHooksOptions } from 'tenterhook';
import { says } from '../../../../test/support/fire-hooks.js';

/** Hooks of three formats that replace the text `sk-1234` in the result of a tool. LLxprt's format cannot replace a result. */
export const redactingHooks: Readonly<Record<string, () => CreateHooksOptions>> = {
  'Claude Code': () => ({
    dialect: 'claude-code',
    settings: {
      hooks: {
        PostToolUse: [{ hooks: [{ type: 'command', command: redact }] }],
      },
    },
  }),
  'Gemini CLI': () => ({
    dialect: 'gemini-cli',
    settings: {
      hooks: { AfterTool: [{ hooks: [{ type: 'command', command: says({ decision: 'deny', reason: 'the key is [removed]' }) }] }] },
    },
  }),
  'a handler': () => ({ settings: {}, handlers: [redactingEngine()] }),
};

/** Replaces the text in whatever a tool returned: the answer has the text that hooks see, without the key. */
const redact = `jq -c '{ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: (.tool_response | if type == "string" then . else tojson end | gsub("sk-[0-9]+"; "[removed]")) } }'`;

function redactingEngine(): HookEngine {
  const engine = new HookEngine();
  engine.register({ id: 'redact', event_type: 'post_tool_use' });
  engine.register_handler('redact', {
    handle: ({ payload }) => {
      const { result } = payload as unknown as { readonly result: { readonly output: string } };
      return { action: 'Continue', modified: { ...result, output: result.output.replaceAll(/sk-\d+/g, '[removed]') } };
    },
  });
  return engine;
}
