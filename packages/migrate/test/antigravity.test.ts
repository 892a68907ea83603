import { dialectNamed, migrated, portablesOf } from './portables.js';

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const claude = (event: string, hook: object, matcher?: string) => ({
  hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] },
});

/** Returns the converted settings with the messages of losses, or the reason why nothing is written. */
function outcome(from: string, to: string, settings: object) {
  const { value, placed } = migrated(dialectNamed(from), dialectNamed(to), settings);
  const lost = portablesOf(dialectNamed(from), settings).hooks.flatMap(({ losses }) => losses);
  const [first] = placed;
  if (first === undefined || 'cannot' in first) return first?.cannot;
  return { value, lost: [...lost, ...first.losses].map(({ field, message }) => `${field}: ${message}`) };
}

const denies = expect.stringMatching(/^onError: Antigravity denies a call if the hook .* also \{\}\. Print nothing for no decision\.$/);

test('a guard of Claude Code is in a group for its tools, and a loss says which output denies', () => {
  expect(outcome('claude-code', 'antigravity', claude('PreToolUse', command('x', { timeout: 5 }), 'Bash'))).toEqual({
    value: { migrated: { PreToolUse: [{ matcher: '^run_command$', hooks: [command('x', { timeout: 5 })] }] } },
    lost: [denies],
  });
});

test('a guard of an MCP server is for the tool that calls the tools of all servers, which is a loss', () => {
  const one = claude('PreToolUse', command('x', { timeout: 30 }), 'mcp__gh__.*');
  expect(outcome('claude-code', 'antigravity', one)).toEqual({
    value: { migrated: { PreToolUse: [{ matcher: '^call_mcp_tool$', hooks: [command('x')] }] } },
    lost: [expect.stringMatching(/^matcher: .*also runs for other servers/), denies],
  });
  const all = claude('PreToolUse', command('x', { timeout: 30 }), 'mcp__.*');
  expect(outcome('claude-code', 'antigravity', all)).toEqual({
    value: { migrated: { PreToolUse: [{ matcher: '^call_mcp_tool$', hooks: [command('x')] }] } },
    lost: [denies],
  });
});

test('a hook at the end of an answer is in a plain list', () => {
  expect(outcome('claude-code', 'antigravity', claude('Stop', command('x', { timeout: 30 })))).toEqual({
    value: { migrated: { Stop: [command('x')] } },
    lost: expect.anything(),
  });
});

test('Antigravity has no event for prompts and for the end of a session', () => {
  for (const event of ['UserPromptSubmit', 'SessionEnd', 'PreCompact']) {
    expect([event, outcome('claude-code', 'antigravity', claude(event, command('x')))]).toEqual([
      event,
      expect.stringContaining('Antigravity'),
    ]);
  }
});

test('a group becomes a name, and a failure that denies in Antigravity is a loss', () => {
  const settings = { guard: { PreToolUse: [{ matcher: '^run_command$', hooks: [command('x')] }] } };
  expect(outcome('antigravity', 'llxprt', settings)).toEqual({
    value: {
      hooks: {
        BeforeTool: [
          { matcher: '^run_shell_command$', sequential: true, hooks: [{ name: 'guard', ...command('x', { timeout: 30_000 }) }] },
        ],
      },
    },
    lost: [expect.stringMatching(/^onError: In Antigravity a call is denied if the hook fails/)],
  });
});
