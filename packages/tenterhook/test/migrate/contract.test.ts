import { contractTopics, type PortableHook } from '@tenterhook/protocol';
import { contractDifferences } from '../../src/migrate/contract-differences.js';
import { contractLosses } from '../../src/migrate/contract-losses.js';
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

test('what differs is told, of the topics that the events are about', () => {
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
  ['AfterAgent', claude, eca, true],
  ['AfterAgent', claude, llxprt, false],
  ['BeforeAgent', claude, eca, false],
  ['AfterModel', gemini, llxprt, true],
  ['Notification', claude, llxprt, false],
] as const)('a block on %s that nobody would obey any more is a loss', (eventName, from, to, isLost) => {
  expect(contractLosses(hook(eventName, 'exit 2'), from, to).map(({ field }) => field)).toEqual(isLost ? ['event'] : []);
});
