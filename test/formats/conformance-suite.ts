import { defaultDialects } from '@tenterhook/dialects';
import { type DialectConformanceOptions, dialectConformance, type SampleHook } from '@tenterhook/testing';
import { withEndingHooks } from '../support/fire-hooks.js';
import { families, formatNamed, formatNames } from '../support/formats.js';

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
  describe.each(part === 'first' ? formatNames : families)('the dialect %s', (name) => {
    const { conformance, settings } = formatNamed(name);
    const settingsOf = (hooks: readonly SampleHook[]) =>
      settings(hooks.map(({ dialectEvent, ...hook }) => ({ ...hook, event: dialectEvent })));
    const dialect = () => {
      const [found] = defaultDialects().filter((each) => each.name === name);
      if (found === undefined) throw new Error(`"${name}" is gone`);
      return found;
    };
    const fire: DialectConformanceOptions['fire'] = (made, settings, eventName, input) =>
      withEndingHooks({ dialects: [made], settings: [settings as object] }, ({ handler }) => handler.fire(eventName, input));

    const all = dialectConformance({ ...conformance, settings: settingsOf, dialect, fire });
    const titles = all.map(({ title }) => title);
    const unknown = [firstWithProcesses, ...exhaustive].filter((title) => !titles.includes(title));
    if (unknown.length > 0) throw new Error(`The suite has no test "${unknown[0]}".`);
    const last = titles.indexOf(firstWithProcesses) - (name === dialectWithProcesses ? 0 : 1);
    const isFirst = (title: string, index: number) => index <= last && !exhaustive.includes(title);
    for (const [index, { title, run }] of all.entries()) if (isFirst(title, index) === (part === 'first')) test(title, run);
  });
}
