import { contractDifferences, contractLosses } from '../src/contract.js';
import { contractTopics } from '../src/contract-topics.js';
import type { PortableHook } from '../src/portable/portable-hook.js';
import { dialectNamed, dialects } from './portables.js';

const [claude, eca, llxprt, gemini] = ['claude-code', 'eca', 'llxprt', 'gemini-cli'].map((name) => dialectNamed(name).migration) as [
  (typeof dialects)[0]['migration'],
  (typeof dialects)[0]['migration'],
  (typeof dialects)[0]['migration'],
  (typeof dialects)[0]['migration'],
];

const hook = (eventName: PortableHook['eventName'], text: string): PortableHook => ({
  eventName,
  matcher: { kind: 'everything' },
  action: { kind: 'command', text },
  env: {},
  timeoutMs: 1000,
  onError: 'continue',
  losses: [],
});

test.each(dialects.map((dialect) => [dialect.name, dialect.migration.contract] as const))(
  '%s says something of every topic',
  (_, contract) => {
    expect(Object.keys(contract.topics).sort()).toEqual(Object.keys(contractTopics).sort());
    expect(Object.values(contract.topics).filter((text) => text.trim() === '')).toEqual([]);
  },
);

test('what differs is reported, of the topics that the events are about', () => {
  const topics = contractDifferences(claude.contract, llxprt.contract, new Set(['AfterAgent'] as const)).map(({ topic }) => topic);
  expect(topics).toEqual(expect.arrayContaining(['event', 'goOn', 'failure']));
  expect(topics).not.toContain('deny');
  expect(contractDifferences(llxprt.contract, llxprt.contract, new Set(['BeforeTool'] as const))).toEqual([]);
});

test.each([
  [`echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'`, eca, ['hookSpecificOutput', 'permissionDecision']],
  ['echo "{\\"decision\\":\\"block\\"}"', eca, ['decision']],
  ['jq -r .tool_input.file_path', eca, ['file_path']],
  ['jq -r .tool_input.file_path', llxprt, []],
  ['echo "export A=1" >> "$CLAUDE_ENV_FILE"', llxprt, ['CLAUDE_ENV_FILE']],
  ['make decision; ./file_path.sh decisions', eca, []],
])('of the command %s the words that the other agent does not have are named', (text, to, words) => {
  const said = contractLosses(hook('BeforeTool', text), claude, to).map(({ message }) => message);
  expect(said).toEqual(words.length === 0 ? [] : [expect.stringContaining(words.map((word) => JSON.stringify(word)).join(', '))]);
});

test.each([
  ['AfterAgent', claude, eca, false],
  ['PreCompress', claude, eca, false],
  ['AfterAgent', claude, llxprt, false],
  ['BeforeAgent', claude, eca, false],
  ['AfterModel', gemini, llxprt, true],
  // A block by Gemini CLI's hook replaces the result of the tool. In the other formats it leaves the result.
  ['AfterTool', gemini, claude, true],
  ['AfterTool', gemini, llxprt, true],
  ['AfterTool', claude, gemini, false],
  ['Notification', claude, llxprt, false],
] as const)('a block on %s without an effect is a loss', (eventName, from, to, isLost) => {
  expect(contractLosses(hook(eventName, 'exit 2'), from, to).map(({ field }) => field)).toEqual(isLost ? ['event'] : []);
});

test.each([
  [`node -e "require(process.env.CLAUDE_PROJECT_DIR)"`, claude, eca, 'CLAUDE_PROJECT_DIR'],
  ['printenv CLAUDE_PROJECT_DIR', claude, eca, 'CLAUDE_PROJECT_DIR'],
  ['printenv CLAUDE_PROJECT_DIR', claude, gemini, undefined],
  ['printenv LLXPRT_PROJECT_DIR', llxprt, gemini, 'LLXPRT_PROJECT_DIR'],
  ['"$LLXPRT_PROJECT_DIR"/guard.sh', claude, eca, undefined],
  ['"$LLXPRT_PROJECT_DIR"/guard.sh', llxprt, gemini, undefined],
  ['if grep -q "\\"Bash\\""; then exit 2; fi', claude, gemini, 'the tool "Bash"'],
  [`grep -q '"Bash"' && exit 2`, claude, llxprt, 'the tool "Bash"'],
  [`[ "$T" = 'run_shell_command' ]`, llxprt, claude, 'the tool "run_shell_command"'],
  ['grep -q "run_shell_command"', llxprt, gemini, undefined],
  ['Bash Read', claude, llxprt, undefined],
  [`echo '{"hookSpecificOutput":{"decision":{"behavior":"deny"}}}'`, claude, llxprt, '"behavior"'],
  ['echo no; exit 3', gemini, claude, 'a code above 2'],
  ['echo no; exit 12', gemini, llxprt, 'a code above 2'],
  ['echo no; exit 2', gemini, llxprt, undefined],
  ['echo no; exit 3', llxprt, gemini, undefined],
  [`echo '{"decision":"deny"}'`, llxprt, claude, 'the "decision" "deny"'],
  ['echo "{\\"decision\\": \\"deny\\"}"', gemini, claude, 'the "decision" "deny"'],
  [`echo '{"decision":"block"}'`, llxprt, claude, undefined],
  [`echo '{"decision":"deny"}'`, llxprt, gemini, undefined],
])('of %s it is said what the other agent does not have', (text, from, to, said) => {
  const messages = contractLosses(hook('BeforeTool', text), from, to).map(({ message }) => message);
  expect(messages).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
});

test('how a request for permission is answered differs, and is reported', () => {
  const reported = contractDifferences(claude.contract, llxprt.contract, new Set(['PermissionRequest'] as const));
  expect(reported.map(({ topic }) => topic)).toContain('permission');
});

test.each(dialects.map((dialect) => [dialect.name, dialect.agent, dialect.migration.agent] as const))(
  'migration calls the agent of %s what its dialect calls it',
  (_, agent, migrating) => expect(migrating).toBe(agent),
);
