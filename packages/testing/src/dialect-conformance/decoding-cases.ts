import { type Decoded, type HookDefinition, type HookEvent, hookCodes, type ReadableExit } from '@tenterhook/protocol';
import type { DialectCase, DialectScene } from './dialect-case.js';
import { type Exited, exitWith, otherExits } from './exits.js';
import { notCanonical, notPlainJson } from './plain-json.js';
import { printedAnswers } from './printed-answers.js';
import { printedJunk } from './printed-junk.js';
import { misheard, type Said } from './said.js';
import { sampleEvent } from './sample-inputs.js';
import { hooksOf, sampleHook } from './sample-settings.js';
import { shown } from './violations.js';
import { wrongFields } from './wrong-fields.js';

/** Those that formats have a meaning for; the first three on every event. */
const exitCodes = [0, 1, 2, 3, 126, 127, 255];

/** What the end of a run means. No process is needed for it: a dialect is told of the end of one. */
export const decodingCases: readonly DialectCase[] = [
  {
    title: 'whatever was printed on whatever event, decode() is pure and gives canonical output with documented codes',
    run: (scene) => {
      const { answers, outputFields } = scene.options;
      for (const event of scene.events) {
        const codes = event.eventName === answers.eventName ? exitCodes : exitCodes.slice(0, 3);
        const on = hookOn(scene, event.eventName);
        for (const { what, stdout } of [...printedAnswers(answers), ...printedJunk, ...wrongFields(event.eventName, outputFields)]) {
          const done = `decode() of stdout with ${what} on ${event.dialectEvent}`;
          for (const exitCode of codes) requireDecoded(scene, `${done}, exit code ${exitCode}`, exitWith(stdout, { exitCode }), on);
        }
      }
      const { x } = {} as { x?: unknown };
      scene.violations.require(x === undefined, 'decode() of keys such as __proto__', { x }, 'no other object to have them');
    },
  },
  {
    title: 'decode() gives canonical output, or a failure, for the ends of hooks that are no process',
    run: (scene) => {
      const { eventName, deny } = scene.options.answers;
      const on = hookOn(scene, eventName);
      for (const exit of otherExits(deny)) requireDecoded(scene, `decode() of ${shown(exit)}`, exit, on);
    },
  },
  {
    title: 'decode() reads an answer as what it says, and makes a decision of nothing else',
    run: (scene) => {
      const { answers, outputFields } = scene.options;
      for (const { what, stdout, says } of [...printedAnswers(answers), ...printedJunk, ...wrongFields(answers.eventName, outputFields)]) {
        for (const stderr of ['', JSON.stringify(answers.allow ?? 'allow')]) {
          const done = `decode() of stdout with ${what}, ${shown(stdout)}, stderr ${shown(stderr)}, exit code 0`;
          requireMeaning(scene, done, exitWith(stdout, { stderr }), says);
        }
      }
    },
  },
  {
    title: 'decode() never allows with another exit code than 0, or by what is left of an answer that was cut off',
    run: (scene) => {
      const stdout = JSON.stringify(scene.options.answers.allow ?? {});
      const done = 'decode() of stdout with an answer that allows';
      for (let exitCode = 1; exitCode < 256; exitCode += 1) {
        requireMeaning(scene, `${done}, exit code ${exitCode}`, exitWith(stdout, { exitCode }), 'no allow');
      }
      requireMeaning(scene, `${done}, cut off behind it`, exitWith(stdout, { stdoutTruncated: true, stdoutBytes: 1 << 30 }), 'no allow');
    },
  },
];

interface HookOnEvent {
  readonly event: HookEvent;
  readonly hook: HookDefinition;
}

/** A quiet hook of the event; none where the dialect has no such event, as the first case says. */
function hookOn(scene: DialectScene, eventName: string): HookOnEvent | undefined {
  const event = scene.events.find((each) => each.eventName === eventName);
  const [hook] = event === undefined ? [] : hooksOf(scene, [sampleHook(event, 0)]);
  return event === undefined || hook === undefined ? undefined : { event: sampleEvent(event.eventName), hook };
}

function requireDecoded({ dialect, violations }: DialectScene, done: string, exit: ReadableExit, on: HookOnEvent | undefined): void {
  const decoded = on && violations.pure(done, () => dialect.decode(exit, on.event, on.hook))?.value;
  if (decoded === undefined) return;
  const { output, failure, warnings } = decoded;
  const problem = output === undefined ? undefined : notCanonical(output, on?.event.eventName as HookEvent['eventName']);
  const schemas = 'an output by hookOutputSchema, canonicalOutputSchema and the schema of the event';
  violations.require(problem === undefined, `${done}: output`, { problem, output }, schemas);
  for (const entry of failure === undefined ? warnings : [failure, ...warnings]) {
    const isCode = Object.hasOwn(hookCodes, entry.code) && typeof entry.message === 'string' && entry.message !== '';
    violations.require(isCode && notPlainJson(entry) === undefined, `${done}: warnings`, entry, 'a code of hookCodes and a message');
  }
}

function requireMeaning(scene: DialectScene, done: string, exit: Exited, says: Said): void {
  const { dialect, options, violations } = scene;
  const on = hookOn(scene, options.answers.eventName);
  const decoded: Decoded | undefined = on && violations.attempt(done, () => dialect.decode(exit, on.event, on.hook))?.value;
  if (decoded === undefined) return;
  const { output, failure, warnings } = decoded;
  const expected = misheard(says, { output, hasFailed: failure !== undefined, warnings });
  if (expected !== undefined) violations.add(done, shown(decoded), expected);
}
