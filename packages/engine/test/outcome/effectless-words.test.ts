import type { HookEventName, HookOutput } from '@tenterhook/protocol';
import { noEffectWarnings } from '../../src/outcome/check-output.js';

const cases: [string, HookEventName, HookOutput, string[]][] = [
  ['a deny of AfterModel undoes nothing', 'AfterModel', { decision: 'deny' }, ['cannot be blocked']],
  ['a deny of BeforeToolSelection undoes nothing', 'BeforeToolSelection', { decision: 'block' }, ['cannot be blocked']],
  ['a deny of AfterTool is feedback', 'AfterTool', { decision: 'deny' }, []],
  ['a deny of BeforeTool blocks', 'BeforeTool', { decision: 'deny' }, []],
  ['a deny that takes the response away has done what it could', 'AfterModel', deny({ llm_response: {} }), []],
  ['a stop of SessionStart ends nothing', 'SessionStart', { continue: false }, ['cannot stop']],
  ['a stop of AfterModel stops', 'AfterModel', { continue: false }, []],
  ['an ask of AfterTool is put to nobody', 'AfterTool', { decision: 'ask' }, ['asks nobody']],
  ['an ask of Notification is put to nobody', 'Notification', { decision: 'ask' }, ['asks nobody']],
  ['an ask of BeforeModel is put to the user', 'BeforeModel', { decision: 'ask' }, []],
  ['an allow and silence have nothing to lose', 'PreCompress', { decision: 'allow' }, []],
  ['each is said', 'PreCompress', { decision: 'deny', continue: false }, ['cannot be blocked', 'cannot stop']],
];

function deny(hookSpecificOutput: Record<string, unknown>): HookOutput {
  return { decision: 'deny', hookSpecificOutput };
}

test.each(cases)('%s', (_, eventName, output, expected) => {
  const warnings = noEffectWarnings(output, eventName);
  expect(warnings.map(({ code }) => code)).toEqual(expected.map(() => 'no_effect'));
  expect(warnings.map(({ message }) => message)).toEqual(expected.map((text) => expect.stringContaining(text)));
});
