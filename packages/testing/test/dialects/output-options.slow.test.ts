import { type Decoded, type Dialect, type HookCode, type HookOutput, type ReadableExit, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { DialectConformanceOptions } from '../../src/index.js';
import { type Broken, testBroken, testKept } from './llxprt-options.js';

type Exited = Extract<ReadableExit, { kind: 'exited' }>;
type Decode = (exit: Exited, inner: (exit: Exited) => Decoded, dialectEvent: string) => Decoded;

const reading = /reads a decision from answers/;
const codes = /allows only with exit codes/;
const streams = /mix up its streams/;

const warning = (code: HookCode) => ({ code, message: 'It was not as it should be.' });
const failed = (code: HookCode): Decoded => ({ failure: warning(code), warnings: [] });
const allow = (...codes: HookCode[]): Decoded => ({ output: { decision: 'allow' }, warnings: codes.map(warning) });

/** A dialect that reads answers with every exit code except 2. */
const answering =
  (isAnswer: (exit: Exited) => boolean = ({ exitCode }) => exitCode !== 2): Decode =>
  (exit, inner) => {
    const { exitCode, stdout, stdoutTruncated } = exit;
    if (exitCode === 0 || stdoutTruncated || objectIn(stdout) === undefined || !isAnswer(exit)) return inner(exit);
    const decoded = inner({ ...exit, exitCode: 0 });
    return { ...decoded, warnings: [...decoded.warnings, warning('exit_code')] };
  };

/** A dialect that reads stderr if stdout is blank. */
const stderrAsStdout =
  (isRead: (exit: Exited) => boolean = ({ exitCode }) => exitCode === 0): Decode =>
  (exit, inner) => {
    const { stdout, stderr, stderrTruncated } = exit;
    if (stdout.trim() !== '' || stderr.trim() === '' || !isRead(exit)) return inner(exit);
    return inner({ ...exit, stdout: stderr, stdoutTruncated: stderrTruncated });
  };

/** A dialect that reads stderr if stdout is blank, and ignores an allow on stderr. */
const stderrToo =
  (isRead?: (exit: Exited) => boolean): Decode =>
  (exit, inner, name) => {
    const decoded = stderrAsStdout(isRead)(exit, inner, name);
    return exit.stdout.trim() === '' && decoded.output?.decision === 'allow' ? { warnings: decoded.warnings } : decoded;
  };

/** A dialect for which output that is not a JSON object denies on BeforeTool, and is a failure on other events. */
const strict: Decode = (exit, inner, dialectEvent) => {
  const { exitCode, stdout, stdoutTruncated } = exit;
  const isRead = exitCode !== 0 || stdoutTruncated || stdout.trim() === '' || objectIn(stdout) !== undefined;
  if (isRead) return inner(exit);
  return dialectEvent === 'BeforeTool' ? denied : failed('invalid_json');
};
const denied: Decoded = { output: { decision: 'deny', reason: 'no JSON' }, warnings: [warning('invalid_json')] };

/** A dialect for which every output on BeforeTool that does not decide denies, also `{}`. */
const strictest: Decode = (exit, inner, dialectEvent) => {
  const decoded = inner(exit);
  const isRead = exit.exitCode !== 0 || exit.stdoutTruncated || exit.stdout.trim() === '';
  return isRead || dialectEvent !== 'BeforeTool' || verdictOf(decoded.output?.decision) !== 'none' ? decoded : denied;
};
const answersOnly: Partial<DialectConformanceOptions> = { unreadable: (name) => (name === 'BeforeTool' ? 'deny all' : 'no opinion') };

const answersWith: Partial<DialectConformanceOptions> = { answersWith: (exitCode) => exitCode !== 2 };
const readsStderr: Partial<DialectConformanceOptions> = { readsStderr: true };
const unreadable: Partial<DialectConformanceOptions> = { unreadable: (name) => (name === 'BeforeTool' ? 'deny' : 'failed') };

const few = /reads an answer|allows with no exit|streams/;
const most = /whatever was printed|reads an answer|whatever hooks print|streams|more than is kept|^on AfterTool/;
const every =
  /whatever was printed|reads an answer|allows with no exit|whatever hooks print|whatever exit codes|streams|more than is kept|^on AfterTool/;

testKept({
  'takes answers with other exit codes': [withDecode(answering()), few, answersWith],
  'reads stderr where stdout is blank': [withDecode(stderrToo()), few, readsStderr],
  'reads both with other exit codes': [
    withDecode((exit, inner, name) => stderrToo(() => true)(exit, (read) => answering()(read, inner, name), name)),
    every,
    { ...answersWith, ...readsStderr },
  ],
  'denies what it cannot read, and fails elsewhere': [withDecode(strict), most, unreadable],
  'denies all output that does not decide': [withDecode(strictest), most, answersOnly],
  'fails silence where an answer has to come': [
    withDecode((exit, inner) => (exit.exitCode === 0 && exit.stdout.trim() === '' ? failed('exit_code') : inner(exit))),
    /^on AfterTool/,
    unreadable,
  ],
  'only warns of exit code 2 on some events': [
    withDecode((exit, inner, name) => (exit.exitCode === 2 && name !== 'BeforeTool' ? { warnings: [warning('no_effect')] } : inner(exit))),
    /^on AfterTool/,
  ],
});

testBroken({
  'takes answers with other exit codes, and does not declare it': [
    withDecode(answering()),
    codes,
    /stdout with an answer that allows, exit code 1\n {2}came: .*\n {2}expected: no allow/,
  ],
  'reads stderr, and does not declare it': [withDecode(stderrToo()), streams, /denies on stderr alone and exits with 0.*no decision/s],
  'denies text, and does not declare it': [withDecode(strict), reading, /stdout with half an answer that allows.*expected: no decision/s],
  'fails for text, and does not declare it': [withDecode(strict), /^on AfterTool/, /prints a text.*expected: succeeded or blocked/s],
});

testBroken(
  {
    'declares that all output denies that does not decide, and lets an empty object pass': [
      withDecode(strict),
      reading,
      /stdout with .*\{\}.*expected: a deny and no stop: an object without a decision denies/s,
    ],
  },
  answersOnly,
);

testBroken(
  {
    'hears no answer with another exit code': [
      () => ({}),
      codes,
      /answer that allows, exit code 1\n {2}came: .*expected: the decision allow/s,
    ],
    'hears no answer of a process with another exit code': [
      () => ({}),
      streams,
      /on both streams and exits with 1\n {2}came: .*expected: the decision allow/s,
    ],
    'hears no deny with another exit code': [
      withDecode(answering(({ exitCode, stdout }) => exitCode !== 2 && !stdout.includes('deny'))),
      codes,
      /answer that denies, exit code 1\n {2}came: .*expected: the decision deny/s,
    ],
    'takes an answer with exit code 2 too': [
      withDecode(answering(() => true)),
      codes,
      /answer that allows, exit code 2\n {2}came: .*expected: no allow/s,
    ],
    'allows by text with another exit code': [
      withDecode((exit, inner) => (exit.exitCode === 1 && exit.stdout === 'allow' ? allow('exit_code') : answering()(exit, inner, ''))),
      reading,
      /stdout with the word allow, 'allow', exit code 1\n {2}came: .*expected: no allow/s,
    ],
    'allows by silence with one exit code': [
      withDecode((exit, inner) => (exit.exitCode === 77 && exit.stdout === '' ? allow('exit_code') : answering()(exit, inner, ''))),
      codes,
      /stdout with '', exit code 77\n {2}came: .*expected: no allow/s,
    ],
    'allows by half an answer with another exit code': [
      withDecode((exit, inner) =>
        exit.exitCode === 255 && exit.stdout === '{"decision":"allow"' ? allow('exit_code') : answering()(exit, inner, ''),
      ),
      reading,
      /half an answer that allows, .*, exit code 255\n {2}came: .*expected: no allow/s,
    ],
    'loses a deny among log lines with another exit code': [
      withDecode((exit, inner) =>
        exit.exitCode === 1 && exit.stdout.startsWith('checking') && exit.stdout.includes('deny')
          ? { warnings: [] }
          : answering()(exit, inner, ''),
      ),
      reading,
      /an answer that denies, after log lines, '.*', exit code 1\n {2}came: .*expected: a deny, a failure, or a warning/s,
    ],
    'reads what is left of an answer with another exit code': [
      withDecode((exit, inner) => answering()({ ...exit, stdoutTruncated: exit.stdoutTruncated && exit.exitCode === 0 }, inner, '')),
      codes,
      /cut off after it, exit code 1\n {2}came: .*expected: no allow/s,
    ],
    'says nothing of another exit code': [
      withDecode((exit, inner) => {
        const decoded = answering()(exit, inner, '');
        return exit.exitCode === 1 && decoded.output !== undefined ? { ...decoded, warnings: [] } : decoded;
      }),
      streams,
      /exits with 1\n {2}came: .*expected: a warning: an end other than exit code 0/s,
    ],
  },
  answersWith,
);

testBroken(
  {
    'does not read stderr': [() => ({}), reading, /decode\(\) of stderr with an answer that denies, .*expected: the decision deny/s],
    'allows by an answer on stderr': [
      withDecode(stderrAsStdout()),
      reading,
      /stdout with nothing, '', stderr '\{"decision":"allow"\}'.*expected: no allow/s,
    ],
    'hears no deny on stderr': [
      withDecode(stderrToo(({ exitCode, stderr }) => exitCode === 0 && !stderr.includes('deny'))),
      streams,
      /denies on stderr alone and exits with 0\n {2}came: .*expected: .*the decision deny/s,
    ],
    'reads stderr behind a text': [
      withDecode((exit, inner, name) => {
        const isText = exit.stdout.trim() !== '' && objectIn(exit.stdout) === undefined;
        return isText ? stderrAsStdout()({ ...exit, stdout: '' }, inner, name) : stderrToo()(exit, inner, name);
      }),
      streams,
      /prints a text, and an answer that allows on stderr and exits with 0\n {2}came: .*expected: no decision/s,
    ],
    'allows by half an answer on stderr': [
      withDecode((exit, inner) => (exit.stderr === '{"decision":"allow"' ? allow() : stderrToo()(exit, inner, ''))),
      reading,
      /decode\(\) of stderr with half an answer that allows, .*expected: no decision/s,
    ],
    'is silent about a deny on stderr that it cannot read': [
      withDecode((exit, inner) => {
        const decoded = stderrToo()(exit, inner, '');
        return exit.stdout === '' && exit.stderr !== '' ? { ...decoded, warnings: [] } : decoded;
      }),
      reading,
      /decode\(\) of stderr with half an answer that denies, .*expected: a deny, a failure, or a warning/s,
    ],
    'allows by stderr with another exit code': [
      withDecode((exit, inner) => stderrAsStdout(() => true)({ ...exit, exitCode: exit.stdout === '' ? 0 : exit.exitCode }, inner, '')),
      codes,
      /decode\(\) of stderr with an answer that allows, exit code 1\n {2}came: .*expected: no allow/s,
    ],
    'reads what is left of stderr': [
      withDecode((exit, inner) => stderrAsStdout()({ ...exit, stderrTruncated: false }, inner, '')),
      codes,
      /decode\(\) of stderr with an answer that allows, cut off .*expected: no allow/s,
    ],
  },
  readsStderr,
);

const strictBut = (change: (exit: Exited, decoded: Decoded, name: string) => Decoded): Broken[0] =>
  withDecode((exit, inner, name) => change(exit, strict(exit, inner, name), name));
const passing = strictBut((exit, decoded) => (exit.stdout.startsWith('checked') ? { warnings: [] } : decoded));
const onOutput = (change: HookOutput): Broken[0] =>
  strictBut((_exit, decoded) => (decoded === denied ? { ...denied, output: { ...denied.output, ...change } } : decoded));

testBroken(
  {
    'lets a text pass that it said to deny': [passing, reading, /stdout with a text, .*expected: a deny and no stop/s],
    'lets a text of a process pass that it said to deny': [
      passing,
      /whatever hooks print/,
      /prints a text .*expected: a deny and no stop/s,
    ],
    'allows by what it cannot read': [
      onOutput({ decision: 'allow' }),
      reading,
      /half an answer that allows, .*expected: a deny and no stop/s,
    ],
    'stops for what it cannot read': [
      onOutput({ continue: false }),
      reading,
      /half an answer that allows, .*expected: a deny and no stop/s,
    ],
    'denies silence': [
      strictBut((exit, decoded) => (exit.exitCode === 0 && exit.stdout.trim() === '' ? denied : decoded)),
      reading,
      /stdout with nothing, .*expected: no decision/s,
    ],
    'denies an empty object': [
      strictBut((exit, decoded) => (exit.stdout === '{}' ? denied : decoded)),
      reading,
      /stdout with an empty object, .*expected: no decision/s,
    ],
    'allows by an unknown field': [
      strictBut((exit, decoded) => (exit.stdout.includes('"unheard"') ? allow() : decoded)),
      reading,
      /stdout with unknown fields, .*expected: no decision/s,
    ],
    'denies where it said to fail': [
      strictBut((_exit, decoded, name) => (name === 'AfterTool' && decoded.failure?.code === 'invalid_json' ? denied : decoded)),
      /^on AfterTool/,
      /prints a text and exits with 0\n {2}came: .*expected: no decision/s,
    ],
    'fails for an empty object': [
      strictBut((exit, decoded) => (exit.stdout === '{}' ? failed('invalid_json') : decoded)),
      /^on AfterTool/,
      /expected: the last one to have succeeded/,
    ],
  },
  unreadable,
);

function withDecode(decode: Decode): (inner: Dialect) => Partial<Dialect> {
  return (inner) => ({
    decode: (exit, event, hook) => {
      if (exit.kind !== 'exited') return inner.decode(exit, event, hook);
      return decode(exit, (read) => inner.decode(read, event, hook), hook.dialectEvent);
    },
  });
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
