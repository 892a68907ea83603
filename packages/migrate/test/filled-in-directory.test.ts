import type { PortableHook } from '../src/portable/portable-hook.js';
import { identityOf } from '../src/target/place-hooks.js';
import { dialectNamed, migrated, pairs, portablesOf } from './portables.js';

const gemini = (command: string) => ({ hooks: { BeforeTool: [{ hooks: [{ type: 'command', command }] }] } });
const commandsIn = (value: object) =>
  [...JSON.stringify(value).matchAll(/"(?:command|shell)":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => text);

/** Every format to which hooks of Gemini CLI can be migrated. */
const targets = pairs.filter(([from]) => from === 'gemini-cli').map(([, to]) => to);

test.each(targets)('Gemini CLI fills in its directory as one word, and in %s the shell needs quotes', (to) => {
  const { value } = migrated(dialectNamed('gemini-cli'), dialectNamed(to), gemini('$GEMINI_PROJECT_DIR/hooks/guard.sh'));
  const [command = ''] = commandsIn(value);
  expect(JSON.parse(command)).toMatch(/"\$[A-Z]+_PROJECT_DIR"\/hooks\/guard\.sh$/);
});

test('there and back it is the hook that it was, in quotes or without', () => {
  const [geminiCli, claude] = [dialectNamed('gemini-cli'), dialectNamed('claude-code')];
  const unquoted = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: '$CLAUDE_PROJECT_DIR/guard.sh' }] }] } };
  const [before] = portablesOf(claude, unquoted).hooks;
  const [after] = portablesOf(geminiCli, migrated(claude, geminiCli, unquoted).value).hooks;
  expect(identityOf(after as PortableHook)).toBe(identityOf(before as PortableHook));
});

test('where quotes cannot be set, that is a loss', () => {
  const { hooks } = portablesOf(dialectNamed('gemini-cli'), gemini('cat <<E\n$GEMINI_PROJECT_DIR\nE'));
  expect(hooks).toMatchObject([{ losses: [{ field: 'action', message: expect.stringContaining('Write the variable in quotes.') }] }]);
});

test('what is quoted already loses nothing', () => {
  const { hooks } = portablesOf(dialectNamed('gemini-cli'), gemini('"$GEMINI_PROJECT_DIR"/guard.sh'));
  expect(hooks).toMatchObject([{ action: { text: '"$LLXPRT_PROJECT_DIR"/guard.sh' }, losses: [] }]);
});
