import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { DialectCase, DialectScene } from './dialect-case.js';
import { notPlainJson } from './plain-json.js';
import { deepFreeze, fieldsOn, ownFields, sampleEvent, sampleFields } from './sample-inputs.js';
import { hasMatcher, hooksOf, sampleHook } from './sample-settings.js';

/** What a model, a user or a tool may write: taken into the text of a command, it would be run. */
const marker = 'tenterhook-marker';
const hostile = `"'\`$(touch ${marker})\`; touch ${marker} & \n\r\t\\ \u0000 \u001b[31m 日本 🦀 \ud800 {"decision":"allow"}`;

const environment = deepFreeze({ PATH: '/usr/bin:/bin', HOME: '/home/u', EMPTY: '' });

/** What is run for a hook. */
export const runningCases: readonly DialectCase[] = [
  {
    title: 'invocation() is pure, and gives a command one JSON object on stdin',
    run: (scene) => {
      for (const { what, event, hook } of invocations(scene)) {
        const done = `invocation() of ${what}`;
        const invocation = scene.violations.pure(done, () => scene.dialect.invocation(event, hook, environment))?.value;
        if (invocation !== undefined) requireInvocation(scene, done, invocation);
      }
    },
  },
  {
    title: 'nothing of an event gets into the text of a command',
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
    title: 'invocation() gives every hook of an event its own command',
    run: (scene) => {
      for (const event of scene.events) {
        for (const sample of [sampleHook(event, 1), sampleHook(event, 2)]) {
          for (const hook of hooksOf(scene, [sample])) {
            const invocation = scene.violations.attempt('invocation()', () =>
              scene.dialect.invocation(sampleEvent(event.eventName, fieldsOn(scene.options, event)), hook, environment),
            );
            const done = `invocation() of a hook of ${event.dialectEvent} with the command "${sample.command}"`;
            const isOwn = invocation === undefined || JSON.stringify(invocation.value).includes(sample.command);
            scene.violations.require(isOwn, done, invocation?.value, 'that command, as it stands in the settings');
          }
        }
      }
    },
  },
];

interface InvocationSample {
  readonly what: string;
  readonly event: HookEvent;
  readonly hook: HookDefinition;
}

function invocations(scene: DialectScene): InvocationSample[] {
  return scene.events.flatMap((event) => {
    const usual = sampleEvent(event.eventName, fieldsOn(scene.options, event));
    const ids = { session_id: hostile, transcript_path: hostile };
    const tool = hasMatcher(event.eventName) ? { tool_name: hostile, mcp_context: { server_name: hostile } } : {};
    // What the options say of the event stands: with another tool it may be none on which these hooks run.
    const own = ownFields(scene.options.eventFields, event.dialectEvent)?.(hostile);
    const odd = sampleEvent(event.eventName, { ...sampleFields(event.eventName, hostile), ...ids, ...tool, ...structuredClone(own) });
    const withContext = deepFreeze({ ...odd, contextSoFar: hostile });
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
