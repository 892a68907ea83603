export const denying = 'echo no >&2; exit 2';

export const denied = { kind: 'deny', reason: 'no' };

/** Hooks of Claude Code that the host runs, and a guard that denies. */
export const ofHost = (...types: readonly string[]) => ({
  dialect: 'claude-code',
  settings: {
    hooks: {
      PreToolUse: [
        {
          hooks: [
            ...types.map((type) =>
              type === 'mcp_tool' ? { type, server: 's', tool: 't', timeout: 1 } : { type, prompt: 'Is it safe?', timeout: 1 },
            ),
            { type: 'command', command: denying },
          ],
        },
      ],
    },
  },
});
