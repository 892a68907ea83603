import { jest } from '@jest/globals';
import type { SettingsDocument } from '@tenterhook/protocol';
import { eventOf } from '../../../event-of.js';

const shell = '@tenterhook/runtime/shell';
const actual: typeof import('@tenterhook/runtime/shell') = await import(shell);
/** Records the command lines that were parsed, in order. */
const read: string[] = [];
jest.unstable_mockModule(shell, () => ({
  ...actual,
  commandsIn(line: string) {
    read.push(line);
    return actual.commandsIn(line);
  },
}));
const { claudeCode } = await import('../../../../src/claude-code/index.js');

const files = { isFile: () => false, isExecutable: () => false, head: () => undefined };
const machine = { projectDir: '/srv/app', home: '/home/u', environment: {}, platform: 'linux', files };
const rules = Array.from({ length: 50 }, (_, index) => `Bash(tool${index} run *)`);
const value = { hooks: { PreToolUse: [{ hooks: rules.map((rule) => ({ type: 'command', command: `echo ${rule}`, if: rule })) }] } };
const document: SettingsDocument = { source: 'user', value, locate: () => undefined };
const dialect = claudeCode();
const { hooks } = dialect.parse(document, machine);

beforeEach(() => {
  read.length = 0;
});

test('the command line of an event is read once, whatever the number of conditions', () => {
  const event = eventOf('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'a && tool7 run x' } });
  // The planner calls the dialect first with a proxy of the input, and again before each stage.
  const seen = { ...event, input: new Proxy({ ...event.input }, {}) };
  for (const each of [seen, event, event]) {
    expect(hooks.filter((hook) => dialect.select(hook, each).run).map(({ condition }) => condition)).toEqual(['Bash(tool7 run *)']);
  }
  expect(read).toEqual(['a && tool7 run x']);
});

test('a line within a line is one more, and is read once as well', () => {
  const event = eventOf('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'bash -c "tool3 run"' } });
  for (const hook of hooks) dialect.select(hook, event);
  expect(read).toEqual(['bash -c "tool3 run"', 'tool3 run']);
});

test('an object whose command was changed is read again: the line decides', () => {
  const tool_input = { command: 'tool1 run' };
  const runs = () => {
    const event = eventOf('BeforeTool', { tool_name: 'run_shell_command', tool_input });
    return hooks.filter((hook) => dialect.select(hook, event).run).map(({ condition }) => condition);
  };
  expect(runs()).toEqual(['Bash(tool1 run *)']);
  tool_input.command = 'tool2 run';
  expect(runs()).toEqual(['Bash(tool2 run *)']);
});

test('a line that is too long is not read at all', () => {
  const event = eventOf('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: `: ${'a'.repeat(10_000)}` } });
  expect(hooks.every((hook) => dialect.select(hook, event).run)).toBe(true);
  expect(read).toEqual([]);
});
