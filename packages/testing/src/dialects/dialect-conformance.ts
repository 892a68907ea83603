import type { ConformanceTest } from '../conformance-test.js';
import type { DialectCase, DialectConformanceOptions } from './dialect-case.js';
import { fileCases } from './file-cases.js';
import { processCaseOf, processCases } from './process-cases.js';
import { runningCases } from './running-cases.js';
import { answersEventOf, eventsOf } from './samples.js';
import { selectingCases } from './selecting-cases.js';
import { settingsCases } from './settings-cases.js';
import { Violations } from './violations.js';

const pureCases: readonly DialectCase[] = [...settingsCases, ...fileCases, ...selectingCases, ...runningCases];

/**
 * The promises of `Dialect` (`@tenterhook/protocol`) as tests of one dialect, for any test runner. First what its methods promise: that they are
 * pure, do not throw, lose nothing and tell what is wrong. Then hooks that are real processes, on every event: what they print, how they end,
 * what they do with their streams. It needs a POSIX shell, and takes some ten seconds. The options say in what formats differ; whatever they say,
 * no dialect may allow by text, silence, half an answer or one that was cut off, lose a deny without a word, or let one hook touch another.
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
 * A test rejects with an AssertionError that says what was done, what came of it and what was expected, of as many rows as do not hold.
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
