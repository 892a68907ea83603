import { type Decoded, type HookDefinition, type HookEvent, hookCodes, type Invocation, type ReadableExit } from '@tenterhook/protocol';
import { freezeDeeply, isPlainObject } from '@tenterhook/runtime/json';
import type { DialectCase, DialectEvent, DialectScene } from './dialect-case.js';
import {
  allFieldsWrong,
  allowWith,
  isAnswersEvent,
  misheard,
  otherAnswerCodes,
  type Printed,
  printedAnswers,
  printedJunk,
  type Said,
  unreadableOn,
  wrongFields,
} from './printed.js';
import { fieldsOn, hasMatcher, hooksOf, ownFields, sampleEvent, sampleFields, sampleHook } from './samples.js';
import { notCanonical, notPlainJson, shown } from './violations.js';

/** A shell that executed the hostile text would create a file with this name. Such a text may come from a model, a user or a tool. */
const marker = 'tenterhook-marker';
const hostile = `"'\`$(touch ${marker})\`; touch ${marker} & \n\r\t\\ \u0000 \u001b[31m 日本 🦀 \ud800 {"decision":"allow"}`;

const environment = freezeDeeply({ PATH: '/usr/bin:/bin', HOME: '/home/u', EMPTY: '' });

interface InvocationSample {
  readonly what: string;
  readonly event: HookEvent;
  readonly hook: HookDefinition;
}

/** Exit codes with a meaning in a format. The first three are tried on every event. */
const exitCodes = [0, 1, 2, 3, 126, 127, 255];

/** A number of characters. Decoding longer outputs takes much longer. */
const longOutput = 10_000;

interface HookOnEvent {
  readonly event: HookEvent;
  readonly hook: HookDefinition;
}

/** Cases about invocation() and decode(). They start no process, because a dialect receives the exit of a process as data. */
export const runningCases: readonly DialectCase[] = [
  {
    title: 'invocation() is pure, and passes one JSON object to a command on stdin',
    run: (scene) => {
      for (const { what, event, hook } of invocations(scene)) {
        const done = `invocation() of ${what}`;
        const invocation = scene.violations.pure(done, () => scene.dialect.invocation(event, hook, environment))?.value;
        if (invocation !== undefined) requireInvocation(scene, done, invocation);
      }
    },
  },
  {
    title: 'no part of an event gets into the text of a command',
    run: (scene) => {
      const { dialect, violations } = scene;
      for (const { what, event, hook } of invocations(scene)) {
        const invocation = violations.attempt(`invocation() of ${what}`, () => dialect.invocation(event, hook, environment))?.value;
        if (invocation?.kind !== 'command') continue;
        const isClean = !JSON.stringify(invocation.command).includes(marker);
        const expected = 'the command of the settings; the event is on stdin';
        violations.require(isClean, `invocation() of ${what}`, invocation.command, expected);
      }
    },
  },
  {
    title: 'invocation() returns its own command for every hook of an event',
    run: (scene) => {
      for (const event of scene.events) {
        for (const sample of [sampleHook(event, 1), sampleHook(event, 2)]) {
          for (const hook of hooksOf(scene, [sample])) {
            const invocation = scene.violations.attempt('invocation()', () =>
              scene.dialect.invocation(sampleEvent(event.eventName, fieldsOn(scene.options, event)), hook, environment),
            );
            const done = `invocation() of a hook of ${event.dialectEvent} with the command "${sample.command}"`;
            const isOwn = invocation === undefined || JSON.stringify(invocation.value).includes(sample.command);
            scene.violations.require(isOwn, done, invocation?.value, 'that command, as written in the settings');
          }
        }
      }
    },
  },
  {
    title: 'for any output on any event, decode() is pure and returns canonical output with documented codes',
    run: (scene) => {
      const { answers, outputFields } = scene.options;
      for (const event of scene.events) {
        const on = hookOn(scene, event);
        const isOwn = isAnswersEvent(scene, event);
        const decode = (printed: readonly Printed[], codes: readonly number[]) => {
          for (const { what, stdout } of printed) {
            const done = `decode() of stdout with ${what} on ${event.dialectEvent}`;
            // The effect of an exit code does not depend on the length of the output. So long outputs are tried with all exit codes
            // on one event only.
            const tried = isOwn || stdout.length < longOutput ? codes : [0];
            for (const exitCode of tried) requireDecoded(scene, `${done}, exit code ${exitCode}`, exitWith(stdout, { exitCode }), on);
          }
        };
        decode([...printedAnswers(answers), ...printedJunk], isOwn ? exitCodes : exitCodes.slice(0, 3));
        decode(wrongFields(event.eventName, outputFields, isOwn ? 3000 : 500), isOwn ? exitCodes : [0]);
      }
      const { x } = {} as { x?: unknown };
      scene.violations.require(x === undefined, 'decode() of keys such as __proto__', { x }, 'no other object with these keys');
    },
  },
  {
    title: 'decode() returns canonical output, or a failure, for the ends of hooks that are not processes',
    run: (scene) => {
      const on = hookOn(scene, scene.answersEvent);
      for (const exit of otherExits(scene.options.answers.deny)) requireDecoded(scene, `decode() of ${shown(exit)}`, exit, on);
    },
  },
  {
    title: 'decode() reads a decision from answers, and from nothing else',
    run: (scene) => {
      // A failure lists only the first rows, so the event of the sample answers comes first.
      const events = [...scene.events].sort((a, b) => Number(isAnswersEvent(scene, b)) - Number(isAnswersEvent(scene, a)));
      for (const event of events) requireMeanings(scene, event);
    },
  },
  {
    title: 'decode() allows only with exit codes with which answers count, and never for a part of an answer that was cut off',
    run: (scene) => {
      const { options } = scene;
      const on = hookOn(scene, scene.answersEvent);
      const requireMeaning = (done: string, exit: Exited, says: Said) => requireDecision(scene, on, done, exit, says);
      const [deny, allow] = [options.answers.deny, options.answers.allow ?? {}].map((answer) => JSON.stringify(answer)) as [string, string];
      for (let exitCode = 1; exitCode < 256; exitCode += 1) {
        const says = allowWith(options, exitCode);
        const end = `exit code ${exitCode}`;
        requireMeaning(`decode() of stdout with an answer that allows, ${end}`, exitWith(allow, { exitCode }), says);
        const onStderr = exitWith('', { stderr: allow, exitCode });
        requireMeaning(`decode() of stderr with an answer that allows, ${end}`, onStderr, 'no allow');
        for (const text of ['', 'allow', allow.slice(0, -1)]) {
          requireMeaning(`decode() of stdout with ${shown(text)}, ${end}`, exitWith(text, { exitCode }), 'no allow');
        }
        if (says === 'no allow') continue;
        requireMeaning(`decode() of stdout with an answer that denies, ${end}`, exitWith(deny, { exitCode }), 'deny');
      }
      for (const exitCode of [0, ...otherAnswerCodes(options)]) {
        const done = `an answer that allows, cut off after it, exit code ${exitCode}`;
        const [stdoutCut, stderrCut] = [
          { exitCode, stdoutTruncated: true, stdoutBytes: 1 << 30 },
          { exitCode, stderr: allow, stderrTruncated: true, stderrBytes: 1 << 30 },
        ];
        requireMeaning(`decode() of stdout with ${done}`, exitWith(allow, stdoutCut), 'no allow');
        requireMeaning(`decode() of stderr with ${done}`, exitWith('', stderrCut), 'no allow');
      }
    },
  },
];

function invocations(scene: DialectScene): InvocationSample[] {
  return scene.events.flatMap((event) => {
    const usual = sampleEvent(event.eventName, fieldsOn(scene.options, event));
    const ids = { session_id: hostile, transcript_path: hostile };
    const tool = hasMatcher(event.eventName) ? { tool_name: hostile, mcp_context: { server_name: hostile } } : {};
    // The fields from the options are last, so that they override the others: with another tool these hooks may not run.
    const own = ownFields(scene.options.eventFields, event.dialectEvent)?.(hostile);
    const odd = sampleEvent(event.eventName, { ...sampleFields(event.eventName, hostile), ...ids, ...tool, ...structuredClone(own) });
    const withContext = freezeDeeply({ ...odd, contextSoFar: hostile });
    const inputs = { 'a usual event': usual, 'an event full of odd texts': odd, 'an event with odd context so far': withContext };
    return hooksOf(scene, [sampleHook(event, 0)]).flatMap((hook) =>
      Object.entries(inputs).map(([name, each]) => ({ what: `a hook of ${event.dialectEvent} for ${name}`, event: each, hook })),
    );
  });
}

function requireInvocation({ violations }: DialectScene, done: string, invocation: Invocation): void {
  const problem = notPlainJson(invocation);
  violations.require(problem === undefined, done, problem, 'plain JSON');
  if (invocation.kind !== 'command') return;
  const { command, cwd, env, stdin } = invocation;
  const texts: unknown[] = command.kind === 'shell' ? [command.text] : [command.file, ...command.args];
  const isCommand = ['shell', 'program'].includes(command.kind) && texts.every((text) => typeof text === 'string');
  violations.require(isCommand, done, command, 'a shell text, or a program with its arguments');
  violations.require(/^(\/|[A-Za-z]:[\\/])/.test(cwd), `${done}: cwd`, cwd, 'an absolute path');
  const odd = Object.entries(env).find(
    ([name, value]) => typeof value !== 'string' || name === '' || /[=\0]/.test(name) || value.includes('\0'),
  );
  violations.require(odd === undefined, `${done}: env`, odd, 'names and texts that an environment can hold');
  violations.require(typeof stdin === 'string', `${done}: stdin`, stdin, 'a text');
  violations.require(isOneObject(stdin), `${done}: stdin`, stdin, 'one JSON object');
}

function isOneObject(text: string): boolean {
  try {
    return isPlainObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * Checks every output of a hook of the event, on each stream and with each kind of exit code. Sample answers are checked only on
 * the event that they answer.
 */
function requireMeanings(scene: DialectScene, event: DialectEvent): void {
  const { answers, outputFields, readsStderr = false } = scene.options;
  const isOwn = isAnswersEvent(scene, event);
  const on = hookOn(scene, event);
  const where = isOwn ? '' : `on ${event.dialectEvent}, `;
  const requireMeaning = (done: string, exit: Exited, says: Said) => requireDecision(scene, on, `${where}decode() of ${done}`, exit, says);
  const printed = isOwn
    ? [...printedAnswers(answers), ...printedJunk, ...wrongFields(event.eventName, outputFields)]
    : [...printedJunk, ...allFieldsWrong(event.eventName, outputFields)];
  const stderr = JSON.stringify(answers.allow ?? 'allow');
  // If the dialect has no answer that allows, stderr has JSON without a decision.
  const saidOnStderr = answers.allow === undefined ? 'text' : 'no allow';
  for (const { what, stdout, says } of printed) {
    const text = `${what}, ${shown(stdout)}`;
    requireMeaning(`stdout with ${text}, stderr '', exit code 0`, exitWith(stdout), says);
    const both = readsStderr && says === 'silence' ? saidOnStderr : says;
    requireMeaning(`stdout with ${text}, stderr ${shown(stderr)}, exit code 0`, exitWith(stdout, { stderr }), both);
    for (const exitCode of otherAnswerCodes(scene.options)) {
      requireMeaning(`stdout with ${text}, exit code ${exitCode}`, exitWith(stdout, { exitCode }), isAnswer(says) ? says : 'no allow');
    }
    if (!readsStderr) continue;
    requireMeaning(
      `stderr with ${text}, exit code 0`,
      exitWith('', { stderr: exitWith(stdout).stdout }),
      says === 'allow' ? 'no allow' : says,
    );
  }
}

/**
 * Tests whether an output is an answer. An answer has the same meaning with every exit code with which answers count. The meaning
 * of other output may depend on the exit code.
 */
function isAnswer(says: Said): boolean {
  return says === 'allow' || says === 'deny' || says === 'lost deny';
}

/** Returns a hook of the event that prints nothing, or undefined if the dialect has no such event. */
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

function requireDecision(scene: DialectScene, on: HookOnEvent | undefined, done: string, exit: Exited, says: Said): void {
  const { dialect, options, violations } = scene;
  const decoded: Decoded | undefined = on && violations.attempt(done, () => dialect.decode(exit, on.event, on.hook))?.value;
  if (on === undefined || decoded === undefined) return;
  const { output, failure, warnings } = decoded;
  const expected = misheard(says, { output, hasFailed: failure !== undefined, warnings }, unreadableOn(options, on.hook));
  if (expected !== undefined) violations.add(done, shown(decoded), expected);
}

export type Exited = Extract<ReadableExit, { kind: 'exited' }>;

/** Returns the exit of a process with this output, in the form that a dialect receives. */
export function exitWith(stdout: string | Uint8Array, more: Partial<Exited> = {}): Exited {
  const text = typeof stdout === 'string' ? stdout : new TextDecoder().decode(stdout);
  const sizes = {
    stdoutBytes: stdout.length,
    stderrBytes: 0,
    stdoutTruncated: false,
    stderrTruncated: false,
    invalidUtf8: text !== stdout,
  };
  const exit = { kind: 'exited' as const, exitCode: 0, durationMs: 1, leftProcesses: 0, stdout: text, stderr: '' };
  return Object.freeze({ ...exit, ...sizes, ...more });
}

/** Returns exits of hooks that are not processes. A dialect without such hooks must report a failure. */
export function otherExits(answer: object): ReadableExit[] {
  const answers = [null, undefined, 7, 'x', [], {}, answer];
  const bodies = ['', 'x', '{', '[]', JSON.stringify(answer)];
  const responses = [200, 204, 302, 404, 500].flatMap((status) => bodies.map((body) => ({ status, body })));
  return [
    ...answers.map((each) => Object.freeze({ kind: 'answered' as const, answer: each, durationMs: 1 })),
    ...responses.map((each) => Object.freeze({ kind: 'response' as const, ...each, truncated: false, durationMs: 1 })),
  ];
}
