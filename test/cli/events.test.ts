import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import { hookEventNames } from '@tenterhook/protocol';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

const cwd = freshDirectory('events');
beforeAll(() => writeFileSync(join(cwd, 'none.json'), '{}'));
afterAll(() => rmSync(cwd, { recursive: true }));

interface Listed {
  readonly eventName: string;
  readonly dialectEvent?: string;
  readonly sample: object;
  readonly fields: readonly { readonly name: string; readonly required: boolean }[];
}

async function list(...args: string[]): Promise<Listed[]> {
  const { stdout } = await runCli(['events', '--json', ...args], { cwd });
  return (JSON.parse(stdout) as { events: Listed[] }).events;
}

test('every event of the catalogue is listed, with its fields and a sample', async () => {
  const listed = await list();
  expect(listed.map(({ eventName }) => eventName)).toEqual(hookEventNames);
  expect(listed[0]).toEqual({
    eventName: 'BeforeTool',
    when: 'before a tool runs',
    firedBy: 'tenterhook',
    deny: expect.stringContaining('the tool does not run'),
    stop: expect.stringContaining('the agent loop ends'),
    matcherField: 'tool_name',
    matcherExample: 'write_file',
    fields: expect.arrayContaining([{ name: 'tool_name', type: 'string', required: true, meaning: expect.stringContaining('tool') }]),
    sample: { tool_name: 'write_file', tool_input: { path: 'notes.md', content: 'hello' } },
  });
});

test.each(defaultDialects().map(({ name, events = {} }) => [name, Object.keys(events)] as const))(
  'fire takes the sample of every event of %s as it is',
  async (dialect, names) => {
    const listed = await list('--dialect', dialect);
    expect(listed.map(({ eventName, dialectEvent = eventName }) => dialectEvent).sort()).toEqual([...names].sort());
    for (const { eventName, dialectEvent = eventName, sample } of listed) {
      const args = ['fire', dialectEvent, '--dialect', dialect, '--settings', 'none.json', '--json', '--input', JSON.stringify(sample)];
      const { stdout } = await runCli(args, { cwd });
      expect({ dialectEvent, ...JSON.parse(stdout) }).toMatchObject({ dialectEvent, success: true });
    }
  },
);

test('one event: what a hook can do, its fields, and the command to try it', async () => {
  const { stdout } = await runCli(['events', 'PostToolUseFailure'], { cwd });
  expect(stdout).toContain('PostToolUseFailure (AfterTool)\n  fired    after a tool has run');
  expect(stdout).toContain('  deny     the result stays');
  expect(stdout).toContain('  tool_use_id?   string ');
  expect(stdout).toMatch(
    /tenterhook fire PostToolUseFailure --dialect claude-code --input '\{"tool_name":"Write".*"error":"The tool failed\..*"\}'\n$/,
  );
  const plain = await runCli(['events', 'SessionEnd', '--dialect', 'gemini'], { cwd });
  expect(plain.stdout).toContain('  deny     hooks cannot deny it\n  stop     hooks cannot stop the agent\n');
});

test('an unknown event is a usage error, with the nearest one of the dialect', async () => {
  const { status, stderr } = await runCli(['events', 'PreTolUse', '--dialect', 'claude'], { cwd });
  expect({ status, stderr }).toEqual({
    status: 64,
    stderr: 'tenterhook: Claude Code has no event "PreTolUse". Did you mean "PreToolUse"?\n',
  });
});
