import type { Decoded, Dialect, HookEvent, HookOutput, Invocation, ReadableExit } from '@tenterhook/protocol';
import { type Broken, testBroken } from './llxprt-options.js';

type Command = Extract<Invocation, { kind: 'command' }>;
type Exited = Extract<ReadableExit, { kind: 'exited' }>;

const invoking: Record<string, Broken> = {
  'writes its input as YAML': [
    (inner) => withInvocation(inner, ({ stdin }) => ({ stdin: `input: ${stdin}` })),
    /one JSON object to a command on stdin/,
    /stdin\n {2}came: {5}'input: .*\n {2}expected: one JSON object/,
  ],
  'writes two lines of JSON': [
    (inner) => withInvocation(inner, ({ stdin }) => ({ stdin: `{"event":1}\n${stdin}` })),
    /one JSON object to a command on stdin/,
    /expected: one JSON object/,
  ],
  'puts the prompt into the command': [
    (inner) =>
      withInvocation(inner, ({ command }, { input }) => ({
        command: { kind: 'shell', text: `${(command as { text: string }).text} '${String(input['prompt'])}'` },
      })),
    /no part of an event/,
    /BeforeAgent for an event full of odd texts.*expected: the command of the settings/s,
  ],
  'writes into the event': [
    (inner) => ({ invocation: (event, hook, environment) => inner.invocation(Object.assign(event, { hook }), hook, environment) }),
    /one JSON object to a command on stdin/,
    /it threw TypeError: Cannot add property hook/,
  ],
  'has numbers in its environment': [
    (inner) => withInvocation(inner, ({ env }) => ({ env: { ...env, DEPTH: 1 as unknown as string } })),
    /one JSON object to a command on stdin/,
    /env\n {2}came: {5}\[ 'DEPTH', 1 \]/,
  ],
  'runs beside the current directory': [
    (inner) => withInvocation(inner, () => ({ cwd: '.' })),
    /one JSON object to a command on stdin/,
    /cwd\n {2}came: {5}'\.'\n {2}expected: an absolute path/,
  ],
  'tells the hook what time it is': [
    (inner) => withInvocation(inner, ({ env }) => ({ env: { ...env, NOW: String(Date.now() > 0) } })),
    /one JSON object to a command on stdin/,
    /it called Date\.now\(\)/,
  ],
  'runs something else': [
    (inner) => withInvocation(inner, () => ({ command: { kind: 'program', file: '/bin/true', args: [] } })),
    /its own command/,
    /expected: that command, as written in the settings/,
  ],
  'hides how its hooks end': [
    (inner) =>
      withInvocation(inner, ({ command }) => ({
        command: { kind: 'program', file: 'bash', args: ['-c', 'bash -c "$1"; true', 'bash', (command as { text: string }).text] },
      })),
    /terminated by a signal/,
    /is terminated by SIGTERM\n {2}came: {5}{ status: 'succeeded', exitCode: 0.*expected: failed/s,
  ],
  'runs the beginning of a command': [
    (inner) =>
      withInvocation(inner, ({ command }) => ({
        command: { kind: 'shell', text: (command as { text: string }).text.split('; exec')[0] as string },
      })),
    /exceeds its timeout/,
    /that prints an answer that allows and does not end .*\n {2}came: .*'allow'.*\n {2}expected: timed-out; .*no allow/,
  ],
  'loses hooks when there are many': [
    (inner) => ({
      parse: (document, context) => {
        const parsed = inner.parse(document, context);
        return { ...parsed, hooks: parsed.hooks.slice(0, 60) };
      },
    }),
    /whatever hooks print/,
    /60 outcomes of 60 hooks, .*expected: one outcome for each of \d+ hooks/s,
  ],
  'turns the order round': [
    (inner) => ({ layOut: (hooks) => inner.layOut([...hooks].reverse()) }),
    /^on Notification/,
    /outcomes must be in the order of the settings/,
  ],
};

const allow: Decoded = { output: { decision: 'allow' }, warnings: [] };
const nothing: Decoded = { warnings: [] };

/**
 * Ways in which broken dialects decode an exit. Each entry names two cases that must fail: one without processes, and one with real
 * processes.
 */
const decoding: Record<string, readonly [Parameters<typeof withDecoded>[1], ...(readonly [RegExp, RegExp])[]]> = {
  'throws for text': [
    ({ stdout }, decoded) => {
      if (stdout.startsWith('checked')) throw new SyntaxError('Unexpected token');
      return decoded;
    },
    [/for any output on any event/, /stdout with a text on BeforeTool, exit code 0\n {2}came: {5}it threw SyntaxError/],
    [/whatever hooks print/, /that prints a text and exits with 0\n {2}came: .*internal_error/s],
  ],
  'takes text for an allow': [
    ({ stdout, exitCode }, decoded) => (exitCode === 0 && !stdout.startsWith('{') ? allow : decoded),
    [/reads a decision from answers/, /expected: no decision and no stop: the output contains none/],
    [/^on Notification/, /expected: no decision and no stop/],
  ],
  'allows what it cannot read': [
    (_exit, decoded) => (decoded.warnings.length > 0 ? { ...allow, warnings: decoded.warnings } : decoded),
    [/reads a decision from answers/, /stdout with half an answer that allows/],
  ],
  'allows by the first answer that it finds': [
    ({ stdout }, decoded) => (/"decision":"allow"/.test(stdout) ? allow : decoded),
    [/reads a decision from answers/, /before one that allows.*expected: a deny, a failure, or a warning/s],
    [/allows only with exit codes/, /exit code 1\n {2}came: .*allow.*\n {2}expected: no allow/],
    [/more than is kept/, /17 MiB of white space and exits with 0\n.*expected: no allow/s],
  ],
  'reads what is left of an answer': [
    ({ stdout, stdoutTruncated }, decoded) => (stdoutTruncated ? { output: JSON.parse(stdout) as HookOutput, warnings: [] } : decoded),
    [/allows only with exit codes/, /cut off after it, exit code 0\n {2}came: .*allow/],
  ],
  'reads stderr too': [
    ({ stderr }, decoded) => (stderr.includes('allow') ? allow : decoded),
    [/reads a decision from answers/, /stderr '{"decision":"allow"}'.*expected: no decision/s],
    [/mix up its streams/, /on stderr alone and exits with 0\n/],
  ],
  'stops for a falsy continue': [
    ({ stdout }, decoded) => (/"continue":(0|null)/.test(stdout) ? { output: { continue: false }, warnings: [] } : decoded),
    [/reads a decision from answers/, /continue in {"continue":null}.*expected: no decision and no stop/s],
  ],
  'reads what an object inherits': [
    ({ stdout }, decoded) => {
      if (!stdout.startsWith('{"__proto__":{"decision"')) return decoded;
      const output: Record<string, unknown> = {};
      for (const [key, value] of Object.entries(JSON.parse(stdout) as object)) output[key] = value;
      return { output, warnings: [] };
    },
    [/reads a decision from answers/, /as what an object inherits.*expected: no decision/s],
    [/for any output on any event/, /it inherits from another object/],
  ],
  'is silent about a deny that it cannot read': [
    (_exit, { warnings: _warnings, ...decoded }) => ({ ...decoded, warnings: [] }),
    [/reads a decision from answers/, /half an answer that denies.*expected: a deny, a failure, or a warning/s],
  ],
  'overlooks denies': [
    (_exit, decoded) => (decoded.output?.decision === 'deny' ? nothing : decoded),
    [/reads a decision from answers/, /an answer that denies, .*expected: the decision deny/s],
    [/whatever hooks print/, /expected: the last one to have blocked/],
  ],
  'takes every end for a good one': [
    (_exit, { failure: _failure, ...decoded }) => decoded,
    [/whatever exit codes/, /and exits with 1\n.*expected: a warning: an end other than exit code 0/s],
  ],
  'fails hooks that log': [
    ({ stdout }, decoded) =>
      stdout.startsWith('checked') ? { failure: { code: 'hook_failed', message: 'it logs' }, warnings: [] } : decoded,
    [/whatever hooks print/, /that prints a text and exits with 0\n {2}came: .*expected: succeeded or blocked/s],
  ],
  'has undocumented warnings': [
    (_exit, decoded) => ({ ...decoded, warnings: [{ code: 'hm' as never, message: 'odd' }] }),
    [/for any output on any event/, /code: 'hm'.*expected: a code of hookCodes/s],
  ],
  'passes decisions on as they are': [
    ({ stdout }, decoded) => (stdout.includes('"decision":"x"') ? { output: JSON.parse(stdout) as HookOutput, warnings: [] } : decoded),
    [/for any output on any event/, /problem: 'decision: Invalid option/],
    [/whatever hooks print/, /expected: canonical output \(decision: Invalid/],
  ],
  'passes fields of an event on as they are': [
    ({ stdout }, decoded) =>
      stdout === '{"hookSpecificOutput":{"tool_input":0}}' ? { output: JSON.parse(stdout) as HookOutput, warnings: [] } : decoded,
    [/for any output on any event/, /problem: 'hookSpecificOutput\.tool_input: Invalid input/],
  ],
  'gives output that is not JSON': [
    (_exit, decoded) => ({ ...decoded, output: { ...decoded.output, at: new Map() } }),
    [/for any output on any event/, /problem: 'at is an object that JSON does not have'/],
    [/^on Notification/, /at is an object that JSON does not have/],
  ],
  'counts its calls': [
    (() => {
      let calls = 0;
      return (_exit: Exited, decoded: Decoded) => ({ ...decoded, output: { ...decoded.output, calls: calls++ } });
    })(),
    [/for any output on any event/, /and then .*\n {2}expected: the same both times/],
  ],
  'changes its arguments': [
    (exit, decoded) => Object.assign(exit, { stdout: '' }) && decoded,
    [/for any output on any event/, /it threw TypeError: Cannot assign to read only property 'stdout'/],
  ],
};

testBroken(invoking);
for (const [name, [change, ...cases]] of Object.entries(decoding)) {
  testBroken(
    Object.fromEntries(
      cases.map(([title, message]): [string, Broken] => [
        `${name} (${title.source})`,
        [(inner) => withDecoded(inner, change), title, message],
      ]),
    ),
  );
}
testBroken({
  'throws for ends that it does not know': [
    (inner) => ({
      decode: (exit, event, hook) => {
        if (exit.kind !== 'exited') throw new Error(`unknown kind ${exit.kind}`);
        return inner.decode(exit, event, hook);
      },
    }),
    /ends of hooks that are not processes/,
    /kind: 'answered'.*it threw Error: unknown kind answered/s,
  ],
  'gives every object what one hook printed': [
    (inner) => ({
      decode: (exit, event, hook) => {
        if (exit.kind === 'exited' && exit.stdout.startsWith('{"__proto__"')) Reflect.set(Object.prototype, 'x', 1);
        return inner.decode(exit, event, hook);
      },
    }),
    /for any output on any event/,
    /keys such as __proto__\n {2}came: {5}{ x: 1 }/,
  ],
});

afterEach(() => {
  Reflect.deleteProperty(Object.prototype, 'x');
});

function withInvocation(inner: Dialect, change: (invocation: Command, event: HookEvent) => Partial<Command>): Partial<Dialect> {
  return {
    invocation: (event, hook, environment) => {
      const invocation = inner.invocation(event, hook, environment) as Command;
      return { ...invocation, ...change(invocation, event) };
    },
  };
}

function withDecoded(inner: Dialect, change: (exit: Exited, decoded: Decoded) => Decoded): Partial<Dialect> {
  return {
    decode: (exit, event, hook) => {
      const decoded = inner.decode(exit, event, hook);
      return exit.kind === 'exited' ? change(exit, decoded) : decoded;
    },
  };
}
