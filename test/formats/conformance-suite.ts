import { defaultDialects } from '@tenterhook/dialects';
import { hookEventNames } from '@tenterhook/protocol';
import { type DialectConformanceOptions, dialectConformance, type SampleHook } from '@tenterhook/testing';
import { withEndingHooks } from '../support/fire-hooks.js';

/** For each dialect: how its settings are written, and what its hooks print. */
const samples: Readonly<Record<string, Omit<DialectConformanceOptions, 'dialect' | 'fire'>>> = {
  llxprt: {
    settings: (hooks) => ({
      tools: { enableHooks: true },
      hooks: groupedBy(hooks, ({ name, command, timeoutMs, matcher }) => ({
        matcher,
        hooks: [{ type: 'command', name, command, timeout: timeoutMs }],
      })),
    }),
    answers: { eventName: 'BeforeTool', deny: { decision: 'deny', reason: 'no' }, allow: { decision: 'allow' } },
    sharedEvents: hookEventNames.slice(hookEventNames.indexOf('HostEnd') + 1),
  },
  'claude-code': {
    settings: (hooks) => ({
      hooks: groupedBy(
        hooks,
        ({ command, timeoutMs, matcher }) => ({
          matcher,
          hooks: [{ type: 'command', command, timeout: timeoutMs === undefined ? undefined : timeoutMs / 1000 }],
        }),
        ({ dialectEvent }) => dialectEvent,
      ),
    }),
    answers: {
      eventName: 'BeforeTool',
      deny: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' } },
      allow: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } },
    },
    answersWith: (exitCode) => exitCode !== 2,
  },
  'gemini-cli': {
    settings: (hooks) => ({
      hooks: groupedBy(hooks, ({ name, command, timeoutMs, matcher }) => ({
        matcher,
        hooks: [{ type: 'command', name, command, timeout: timeoutMs }],
      })),
    }),
    answers: { eventName: 'BeforeTool', deny: { decision: 'deny', reason: 'no' } },
    answersWith: (exitCode) => exitCode !== 2,
    readsStderr: true,
  },
  eca: {
    settings: (hooks) => ({
      hooks: Object.fromEntries(
        hooks.map(({ name, dialectEvent, command, timeoutMs, matcher }) => [
          name,
          { type: dialectEvent, matcher, actions: [{ type: 'shell', shell: command, timeout: timeoutMs }] },
        ]),
      ),
    }),
    answers: { eventName: 'BeforeTool', deny: { approval: 'deny', additionalContext: 'no' }, allow: { approval: 'allow' } },
    // Without `followUp`, because any text in it is a decision.
    outputFields: [
      'approval',
      'additionalContext',
      'updatedInput',
      'replacedPrompt',
      'replacedOutput',
      'systemMessage',
      'continue',
      'stopReason',
      'suppressOutput',
    ],
  },
};

/** The first test with processes. The tests before it start no process, and those after it start many. */
const firstWithProcesses = 'whatever hooks print, the outcome of each fits, and a deny of a later hook counts';

/** The only dialect for which the first tier runs real hooks, because all dialects share the code that reads output. */
const dialectWithProcesses = 'llxprt';

/**
 * Tests that try everything that settings may contain or a hook may print, on every event. The tests of each format try the important
 * cases.
 */
const exhaustive = [
  'whatever the settings contain, parse() does not throw, and its diagnostics are about that document',
  'settings that are nested ten thousand deep do not make parse() throw',
  'a diagnostic reports whatever keeps a hook from running',
  'a bad hook stays in the list as invalid and does not run; the good hook next to it runs',
  'for any output on any event, decode() is pure and returns canonical output with documented codes',
  'decode() reads a decision from answers, and from nothing else',
];

/**
 * Runs the suite of each dialect in two parts. First: the tests of its methods and, for one dialect, a test with real hooks. Rest: the
 * exhaustive tests and all others with real hooks.
 */
export function testConformance(part: 'first' | 'rest'): void {
  describe.each(defaultDialects().map(({ name }) => name))('the dialect %s', (name) => {
    const sample = samples[name];
    if (sample === undefined) {
      test('is among the samples', () => {
        throw new Error(`There are no sample settings and answers of "${name}": add them to this file.`);
      });
      return;
    }
    const dialect = () => {
      const [found] = defaultDialects().filter((each) => each.name === name);
      if (found === undefined) throw new Error(`"${name}" is gone`);
      return found;
    };
    const fire: DialectConformanceOptions['fire'] = (made, settings, eventName, input) =>
      withEndingHooks({ dialects: [made], settings: [settings as object] }, ({ handler }) => handler.fire(eventName, input));

    const all = dialectConformance({ ...sample, dialect, fire });
    const titles = all.map(({ title }) => title);
    const unknown = [firstWithProcesses, ...exhaustive].filter((title) => !titles.includes(title));
    if (unknown.length > 0) throw new Error(`The suite has no test "${unknown[0]}".`);
    const last = titles.indexOf(firstWithProcesses) - (name === dialectWithProcesses ? 0 : 1);
    const isFirst = (title: string, index: number) => index <= last && !exhaustive.includes(title);
    for (const [index, { title, run }] of all.entries()) if (isFirst(title, index) === (part === 'first')) test(title, run);
  });
}

/** Groups hooks by event, as most formats do. */
function groupedBy<Group>(
  hooks: readonly SampleHook[],
  group: (hook: SampleHook) => Group,
  keyOf: (hook: SampleHook) => string = ({ eventName }) => eventName,
): Record<string, Group[]> {
  const groups: Record<string, Group[]> = {};
  for (const hook of hooks) groups[keyOf(hook)] = [...(groups[keyOf(hook)] ?? []), group(hook)];
  return groups;
}
