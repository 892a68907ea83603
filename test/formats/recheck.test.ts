import { claudeCode, eca, geminiCli, llxprt } from '@tenterhook/dialects';
import type { Dialect } from '@tenterhook/protocol';
import { says, withEndingHooks } from '../support/fire-hooks.js';

/** Settings of a format with a hook before tools that counts its runs, and a later hook that rewrites the call. */
interface Format {
  readonly dialect: Dialect;
  settings(counter: Readonly<Record<string, unknown>>): object;
}

const counts = 'cat > /dev/null; echo run >> runs';
const merged = says({ hookSpecificOutput: { tool_input: { mode: 'w' } } });
const replaced = says({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { path: 'a', mode: 'w' } } });
const groups = (event: string, counter: object, rewrites: string) => ({
  hooks: { [event]: [{ hooks: [counter, { command: rewrites }].map((hook) => ({ type: 'command', ...hook })) }] },
});
const action = (shell: string) => ({ type: 'preToolCall', actions: [{ type: 'shell', shell }] });

const formats: readonly Format[] = [
  { dialect: claudeCode(), settings: (counter) => groups('PreToolUse', { command: counts, ...counter }, replaced) },
  { dialect: geminiCli(), settings: (counter) => groups('BeforeTool', { command: counts, ...counter }, merged) },
  { dialect: llxprt(), settings: (counter) => groups('BeforeTool', { command: counts, ...counter }, merged) },
  {
    dialect: eca(),
    settings: (counter) => ({ hooks: { a: { ...action(counts), ...counter }, b: action(says({ updatedInput: { mode: 'w' } })) } }),
  },
];

test.each(formats.map((format) => [format.dialect.name, format] as const))(
  'a hook of %s is asked again after a rewrite, unless its "recheck" is false',
  async (dialect, format) => {
    const runsWith = (counter: Readonly<Record<string, unknown>>) =>
      withEndingHooks({ settings: format.settings(counter), dialects: [format.dialect], dialect }, async ({ handler, read }) => {
        const { changes } = await handler.fireBeforeToolEvent('write_file', { path: 'a' });
        expect(changes).toMatchObject([{ path: 'tool_input.mode', after: 'w' }]);
        return read('runs');
      });
    expect(await runsWith({})).toBe('run\nrun\n');
    expect(await runsWith({ recheck: true })).toBe('run\nrun\n');
    expect(await runsWith({ recheck: false })).toBe('run\n');
  },
);
