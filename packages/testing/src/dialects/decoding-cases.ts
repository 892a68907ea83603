import { type Decoded, type HookDefinition, type HookEvent, hookCodes, type ReadableExit } from '@tenterhook/protocol';
import { allowWith, otherAnswerCodes, unreadableOn } from './answer-rules.js';
import type { DialectCase, DialectEvent, DialectScene } from './dialect-case.js';
import { type Exited, exitWith, otherExits } from './exits.js';
import { notCanonical, notPlainJson } from './plain-json.js';
import { printedAnswers } from './printed-answers.js';
import { printedJunk } from './printed-junk.js';
import { misheard, type Said } from './said.js';
import { fieldsOn, sampleEvent } from './sample-inputs.js';
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
        const codes = event === scene.answersEvent ? exitCodes : exitCodes.slice(0, 3);
        const on = hookOn(scene, event);
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
      const on = hookOn(scene, scene.answersEvent);
      for (const exit of otherExits(scene.options.answers.deny)) requireDecoded(scene, `decode() of ${shown(exit)}`, exit, on);
    },
  },
  {
    title: 'decode() reads an answer as what it says, and makes a decision of nothing else',
    run: (scene) => {
      const { answers, outputFields, readsStderr = false } = scene.options;
      const stderr = JSON.stringify(answers.allow ?? 'allow');
      const otherCodes = otherAnswerCodes(scene.options);
      for (const { what, stdout, says } of [...printedAnswers(answers), ...printedJunk, ...wrongFields(answers.eventName, outputFields)]) {
        const done = `decode() of stdout with ${what}, ${shown(stdout)}`;
        requireMeaning(scene, `${done}, stderr '', exit code 0`, exitWith(stdout), says);
        const both = readsStderr && says === 'silence' ? saidOnStderr(scene) : says;
        requireMeaning(scene, `${done}, stderr ${shown(stderr)}, exit code 0`, exitWith(stdout, { stderr }), both);
        for (const exitCode of otherCodes) {
          requireMeaning(scene, `${done}, exit code ${exitCode}`, exitWith(stdout, { exitCode }), isAnswer(says) ? says : 'no allow');
        }
        if (!readsStderr) continue;
        const onStderr = exitWith('', { stderr: exitWith(stdout).stdout });
        requireMeaning(scene, `decode() of stderr with ${what}, ${shown(stdout)}, exit code 0`, onStderr, says);
      }
    },
  },
  {
    title: 'decode() allows with no exit code but those with which answers count, and never by what is left of an answer that was cut off',
    run: (scene) => {
      const { options } = scene;
      const [deny, allow] = [options.answers.deny, options.answers.allow ?? {}].map((answer) => JSON.stringify(answer)) as [string, string];
      for (let exitCode = 1; exitCode < 256; exitCode += 1) {
        const says = allowWith(options, exitCode);
        const end = `exit code ${exitCode}`;
        requireMeaning(scene, `decode() of stdout with an answer that allows, ${end}`, exitWith(allow, { exitCode }), says);
        const isRead = options.readsStderr === true && says !== 'no allow';
        const onStderr = exitWith('', { stderr: allow, exitCode });
        requireMeaning(scene, `decode() of stderr with an answer that allows, ${end}`, onStderr, isRead ? 'unclear' : 'no allow');
        for (const text of ['', 'allow', allow.slice(0, -1)]) {
          requireMeaning(scene, `decode() of stdout with ${shown(text)}, ${end}`, exitWith(text, { exitCode }), 'no allow');
        }
        if (says === 'no allow') continue;
        requireMeaning(scene, `decode() of stdout with an answer that denies, ${end}`, exitWith(deny, { exitCode }), 'deny');
      }
      for (const exitCode of [0, ...otherAnswerCodes(options)]) {
        const done = `an answer that allows, cut off behind it, exit code ${exitCode}`;
        const [stdoutCut, stderrCut] = [
          { exitCode, stdoutTruncated: true, stdoutBytes: 1 << 30 },
          { exitCode, stderr: allow, stderrTruncated: true, stderrBytes: 1 << 30 },
        ];
        requireMeaning(scene, `decode() of stdout with ${done}`, exitWith(allow, stdoutCut), 'no allow');
        requireMeaning(scene, `decode() of stderr with ${done}`, exitWith('', stderrCut), 'no allow');
      }
    },
  },
];

/** What the sample answer that allows says on stderr; of a dialect without a word for it a JSON text stands there. */
function saidOnStderr({ options }: DialectScene): Said {
  return options.answers.allow === undefined ? 'text' : 'allow';
}

/** What an answer says with every exit code with which answers count. What is none may mean by the exit code something else. */
function isAnswer(says: Said): boolean {
  return says === 'allow' || says === 'deny' || says === 'lost deny';
}

interface HookOnEvent {
  readonly event: HookEvent;
  readonly hook: HookDefinition;
}

/** A quiet hook of the event; none where the dialect has no such event. */
function hookOn(scene: DialectScene, event: DialectEvent | undefined): HookOnEvent | undefined {
  const [hook] = event === undefined ? [] : hooksOf(scene, [sampleHook(event, 0)]);
  if (event === undefined || hook === undefined) return undefined;
  return { event: sampleEvent(event.eventName, fieldsOn(scene.options, event)), hook };
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
  const { answersEvent, dialect, options, violations } = scene;
  const on = hookOn(scene, answersEvent);
  const decoded: Decoded | undefined = on && violations.attempt(done, () => dialect.decode(exit, on.event, on.hook))?.value;
  if (decoded === undefined) return;
  const { output, failure, warnings } = decoded;
  const unreadable = answersEvent === undefined ? 'no opinion' : unreadableOn(options, answersEvent);
  const expected = misheard(says, { output, hasFailed: failure !== undefined, warnings }, unreadable);
  if (expected !== undefined) violations.add(done, shown(decoded), expected);
}
