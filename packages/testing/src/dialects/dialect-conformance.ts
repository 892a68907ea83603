import type { ConformanceTest } from '../conformance-test.js';
import type { DialectCase, DialectConformanceOptions } from './dialect-case.js';
import { fileCases } from './file-cases.js';
import { inputCases } from './input-cases.js';
import { processCaseOf, processCases } from './process-cases.js';
import { runningCases } from './running-cases.js';
import { answersEventOf, eventsOf } from './samples.js';
import { selectingCases } from './selecting-cases.js';
import { settingsCases } from './settings-cases.js';
import { Violations } from './violations.js';

const pureCases: readonly DialectCase[] = [...settingsCases, ...fileCases, ...selectingCases, ...inputCases, ...runningCases];

/**
 * Returns tests of one dialect, for any test runner. They check the promises of `Dialect` (`@tenterhook/protocol`).
 * - The first tests call its methods. These must be pure, must not throw or lose hooks, and must report mistakes in settings.
 * - The other tests run hooks as real processes on every event, with many kinds of output and exit.
 *
 * The suite needs a POSIX shell and takes about ten seconds. The options describe how the format differs from others. In all
 * formats, one hook must not affect another, and a deny must not be lost silently. Text, missing output and an incomplete answer
 * must not allow.
 *
 * ```ts
 * const tests = dialectConformance({
 *   dialect: () => mine(),
 *   settings: (hooks) => ({ rules: hooks.map((hook) => ({ on: hook.dialectEvent, run: hook.command, timeoutMs: hook.timeoutMs, tools: hook.matcher })) }),
 *   answers: { eventName: 'BeforeTool', deny: { verdict: 'no', why: 'not here' }, allow: { verdict: 'yes' } },
 *   outputFields: ['verdict', 'why', 'rewrite.arguments'],
 *   fire: async (dialect, settings, eventName, input) => {
 *     const hooks = await createHooks({ dialects: [dialect], settings: [settings as object] });
 *     return hooks.getEventHandler().fire(eventName, input).finally(() => hooks.dispose());
 *   },
 * });
 * for (const { title, run } of tests) test(title, run);
 * ```
 *
 * A test rejects with an AssertionError that lists the failures. Each failure has the action, the result and the expected result.
 */
export function dialectConformance(options: DialectConformanceOptions): readonly ConformanceTest[] {
  const all = eventsOf(options.dialect(), options);
  const others = all.filter((event) => event !== answersEventOf(all, options));
  return [...pureCases, ...processCases, ...others.map(processCaseOf)].map(({ title, run }) => ({
    title,
    run: async () => {
      const dialect = options.dialect();
      const violations = new Violations();
      const events = eventsOf(dialect, options);
      await run({ options, dialect, events, answersEvent: answersEventOf(events, options), violations });
      violations.assertNone();
    },
  }));
}
