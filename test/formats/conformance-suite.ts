import { defaultDialects } from '@tenterhook/dialects';
import { hookEventNames } from '@tenterhook/protocol';
import { type DialectConformanceOptions, dialectConformance, type SampleHook } from '@tenterhook/testing';
import { withHooks } from '../support/fire-hooks.js';

/** What the suite needs of each dialect: how its settings are written, and what its hooks print. */
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
    answers: { eventName: 'BeforeTool', deny: { decision: 'deny', reason: 'no' }, allow: { decision: 'allow' } },
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
    outputFields: ['approval', 'additionalContext', 'updatedInput', 'replacedPrompt', 'continue', 'stopReason', 'suppressOutput'],
  },
};

/** The last test of the suite's first part; those before it start no process. */
const lastOfFirstPart = 'whatever hooks print, each has one outcome that fits, and a deny behind them counts';

/** The suite of each dialect in two parts: what its methods promise and one test with real hooks, and all others with real hooks. */
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
      withHooks({ dialects: [made], settings: [settings as object] }, ({ handler }) => handler.fire(eventName, input));

    const all = dialectConformance({ ...sample, dialect, fire });
    const first = all.findIndex(({ title }) => title === lastOfFirstPart) + 1;
    if (first === 0) throw new Error(`The suite has no test "${lastOfFirstPart}".`);
    for (const { title, run } of part === 'first' ? all.slice(0, first) : all.slice(first)) test(title, run);
  });
}

/** By event, as most formats have it. */
function groupedBy<Group>(
  hooks: readonly SampleHook[],
  group: (hook: SampleHook) => Group,
  keyOf: (hook: SampleHook) => string = ({ eventName }) => eventName,
): Record<string, Group[]> {
  const groups: Record<string, Group[]> = {};
  for (const hook of hooks) groups[keyOf(hook)] = [...(groups[keyOf(hook)] ?? []), group(hook)];
  return groups;
}
