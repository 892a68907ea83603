import type { HookDefinition } from '@tenterhook/protocol';
import { fireTool, outcomeAt } from '../../../../../../test/support/fire-hooks.js';
import { scriptComplaint } from '../../../../src/shared/output/failures/stderr-warnings.js';

/** The codes of the warnings about a hook that runs this command. */
async function codesOf(command: string): Promise<string[]> {
  return outcomeAt(await fireTool([command]), 0).warnings.map(({ code }) => code);
}

test.each([
  'notify-sendx done || true',
  'notify-sendx "tests passed" 2>/dev/stderr || :',
  'cat >/dev/null; notify-sendx done || true; exit 0',
  'which notifierx >/dev/null && notifierx done || notify-sendx done || true',
  'notify-sendx one || true\nnotify-sendx two || true',
])('a program that is not installed and whose failure is ignored causes no warning: %j', async (command) => {
  expect(await codesOf(command)).toEqual([]);
});

test.each([
  'notify-sendx done; exit 0',
  'notify-sendx done || exit 0',
  'nosuchjq .tool_input | grep -q rm && exit 2 || true',
  'x=$(nosuchjq .tool_input) || true',
  'x=`nosuchjq .tool_input` || true',
  'nosuchjq . || true; nosuchjq -e .tool_input; exit 0',
  'notify-sendx done || true; nosuchjq .; exit 0',
])('any other one causes a warning: %j', async (command) => {
  expect(await codesOf(command)).toEqual(['missing_command']);
});

test('the text of a long command is searched in time that grows with its length', () => {
  const command = `${'x || true; '.repeat(20_000)}x`;
  const hook = {
    id: 'llxprt/user/BeforeTool/0.0',
    eventName: 'BeforeTool',
    action: { kind: 'command', command },
  } as unknown as HookDefinition;
  const exit = { stderr: 'bash: line 1: x: command not found' } as Parameters<typeof scriptComplaint>[0];
  expect(scriptComplaint(exit, hook)).toMatchObject({ code: 'missing_command' });
});
