import type { Decoded, WarningCode } from '@tenterhook/protocol';
import { decodeCommand } from '../../../src/parts.js';
import { eventOf } from '../../event-of.js';
import { codesOf, type Printed } from '../../printed.js';
import { type Asked, allow, ask, decoded, deny, guardOf, invented, says } from './invented-format.js';

const reported = (code: WarningCode, part: string) => ({ code, message: expect.stringContaining(part) });
const mixed = reported('mixed_output', 'stdout mixes JSON with other text');

describe('exit code 0', () => {
  const rows: Record<string, [string, Decoded, Asked?]> = {
    'silence is not an opinion': [' \n', { warnings: [] }],
    'an object is what the format reads in it': [
      says({ ...deny, why: 'no' }),
      { output: { decision: 'deny', reason: 'no' }, warnings: [] },
    ],
    'what the format warns of is in the list': [says({ odd: 1 }), { output: {}, warnings: [{ code: 'no_effect', message: 'odd' }] }],
    'an allow that stands alone counts': [says(allow), { output: { decision: 'allow' }, warnings: [] }],
    'the format gets a text without the white space around it': [
      '\n all is well \n',
      { output: { systemMessage: 'BeforeTool: all is well' }, warnings: [] },
    ],
    'a text that speaks of a decision is a text, and that is said': [
      'verdict: deny, {verdict: "deny"}',
      { output: { systemMessage: expect.stringContaining('verdict: deny') }, warnings: [reported('decision_in_text', 'on its own line')] },
    ],
    'other JSON says nothing': ['[1]', { warnings: [reported('not_an_object', '([1]); it is ignored. Print an object such as {"say":')] }],
    'other JSON is a text where the format takes it as one': [
      '[1]',
      { output: { systemMessage: 'BeforeTool: [1]' }, warnings: [] },
      { format: { takesOtherJsonAsText: true } },
    ],
    'an answer that is wrapped in a list is a text as well, and that is said': [
      says([deny]),
      { output: { systemMessage: `BeforeTool: ${says([deny])}` }, warnings: [reported('not_an_object', 'it was read as text')] },
      { format: { takesOtherJsonAsText: true } },
    ],
    'an object between lines of text can ask, and nothing else': [
      `checking\n${says({ ...ask, why: 'sure?', hint: 'c' })}\ndone`,
      { output: { decision: 'ask', reason: 'sure?' }, warnings: [mixed] },
    ],
    'an allow between lines of text is text': [
      `checking\n${says({ ...allow, hint: 'c' })}`,
      { output: { systemMessage: `BeforeTool: checking\n${says({ ...allow, hint: 'c' })}` }, warnings: [mixed] },
    ],
    'a deny that is before an allow counts': [
      `a\n${says({ ...deny, why: 'no' })}\n${says(allow)}`,
      { output: { decision: 'deny', reason: 'no' }, warnings: [mixed] },
    ],
  };

  test.each(Object.entries(rows))('%s', (_, [stdout, expected, asked]) => {
    expect(decoded({ stdout }, asked)).toEqual(expected);
  });

  test('half an answer is not read, whatever is in the other half', () => {
    const { output, failure, warnings } = decoded({ stdout: says(allow), stdoutTruncated: true });
    expect({ output, warnings }).toEqual({ output: undefined, warnings: [] });
    expect(failure).toEqual(reported('output_truncated', 'BeforeTool hook "guard" wrote 27 bytes, more than the limit'));
  });

  test('nor is text of more than 1 MiB, whatever objects are in it', () => {
    const { output, failure, warnings } = decoded({ stdout: `${says(allow)}\n`.repeat(50_000) });
    expect({ output, warnings }).toEqual({ output: undefined, warnings: [] });
    expect(failure).toEqual(reported('output_truncated', 'bytes to stdout that are not one JSON object. Only 1048576 characters'));
  });

  test('an object that is not an answer of the format is a text, and one that decides elsewhere is said', () => {
    const isAnswer = (object: object) => 'say' in object;
    const stdout = 'the file:\n{"decision":"block"}';
    expect(decoded({ stdout }, { format: { isAnswer } })).toEqual({
      output: { systemMessage: `BeforeTool: ${stdout}` },
      warnings: [reported('decision_in_text', 'in the fields of another format')],
    });
  });
});

describe('exit code 2', () => {
  const reasons: Record<string, [Omit<Printed, 'exitCode'>, string]> = {
    'the answer that is read for a rejection says why': [{ stdout: says({ hint: 'hint', stopReason: 'stop' }), stderr: 'err' }, 'hint'],
    'else why it stops': [{ stdout: says({ continue: false, stopReason: 'stop' }), stderr: 'err' }, 'stop'],
    'else stderr': [{ stdout: says({ why: 'not read beside exit code 2' }), stderr: ' err\n' }, 'err'],
    'an empty reason does not count': [{ stdout: says({ hint: '', stopReason: '' }), stderr: 'err' }, 'err'],
    'stderr before a text on stdout': [{ stdout: 'out', stderr: 'err' }, 'err'],
    'a text on stdout': [{ stdout: ' out\n' }, 'out'],
    'a text with objects in it, which say nothing': [{ stdout: `out\n${says(allow)}` }, `out\n${says(allow)}`],
    'JSON that is not an object': [{ stdout: '[1]' }, '[1]'],
    'without a reason the hook is named': [{}, 'Hook "guard" blocked BeforeTool with exit code 2 and gave no reason.'],
    'an object that says nothing is not a reason': [
      { stdout: '{}' },
      'Hook "guard" blocked BeforeTool with exit code 2 and gave no reason.',
    ],
  };

  test.each(Object.entries(reasons))('blocks, and the reason is: %s', (_, [printed, reason]) => {
    expect(decoded({ exitCode: 2, ...printed }).output).toMatchObject({ decision: 'deny', reason });
  });

  test.each([
    ['allow', allow, ['decision_ignored']],
    ['ask', ask, ['decision_ignored']],
    ['deny', deny, []],
  ])('beside a printed %s it blocks nevertheless', (_, answer, codes) => {
    const { output, warnings } = decoded({ exitCode: 2, stdout: says(answer) });
    expect(output?.decision).toBe('deny');
    expect(codesOf(warnings)).toEqual(codes);
  });

  test('what else was printed counts, and a rewrite does not', () => {
    const more = { userMessage: 'u', retryAfterMs: 5, tool_input: { a: 1 }, updatedInput: { a: 2 }, llm_response: {} };
    const { output, warnings } = decoded({ exitCode: 2, stdout: says({ continue: false, hint: 'no', more }) });
    expect(output).toEqual({
      decision: 'deny',
      reason: 'no',
      continue: false,
      hookSpecificOutput: { userMessage: 'u', retryAfterMs: 5 },
    });
    expect(warnings).toEqual([reported('rewrite_ignored', 'its updatedInput, tool_input, llm_response is not applied')]);
  });

  test('of a long stderr the reason is the beginning', () => {
    const { output } = decoded({ exitCode: 2, stderr: 'x'.repeat(200_000) });
    expect(output?.reason).toBe(`${'x'.repeat(65_535)}…`);
  });

  test('it blocks as well with text of more than 1 MiB', () => {
    const stdout = `${says(allow)}\n`.repeat(50_000);
    expect(decoded({ exitCode: 2, stdout, stderr: 'no' })).toEqual({ output: { decision: 'deny', reason: 'no' }, warnings: [] });
    expect(decoded({ exitCode: 2, stdout }).output?.reason).toHaveLength(65_536);
  });

  test('it blocks as well where more was written than is kept', () => {
    expect(decoded({ exitCode: 2, stdout: 'half', stdoutTruncated: true }).output).toEqual({ decision: 'deny', reason: 'half' });
  });
});

describe('exit code 2 where it rejects nothing', () => {
  const bell = (printed: Printed) => decoded({ exitCode: 2, stderr: 'ring', ...printed }, { dialectEvent: 'bell' });
  const noEffect = { code: 'no_effect' as const, message: 'Exit code 2 does not deny on bell: ring' };

  const rows: Record<string, [object, Decoded]> = {
    'a deny is its own word': [
      { ...deny, why: 'no' },
      { output: { decision: 'deny', reason: 'no' }, warnings: [noEffect] },
    ],
    'so is an ask': [ask, { output: { decision: 'ask' }, warnings: [noEffect] }],
    'an allow is not a decision': [
      { ...allow, why: 'yes' },
      { output: {}, warnings: [noEffect, reported('decision_ignored', 'exit code 2 never allows')] },
    ],
    'a rewrite is not applied': [
      { more: { tool_input: {} } },
      { output: {}, warnings: [noEffect, reported('rewrite_ignored', 'its tool_input is not applied')] },
    ],
    'a word for the user counts': [
      { more: { userMessage: 'u' } },
      { output: { hookSpecificOutput: { userMessage: 'u' } }, warnings: [noEffect] },
    ],
    'context is context, and no reason': [
      { hint: 'c' },
      { output: { hookSpecificOutput: { additionalContext: 'c' } }, warnings: [noEffect] },
    ],
    'a stop counts': [{ continue: false }, { output: { continue: false }, warnings: [noEffect] }],
  };

  test.each(Object.entries(rows))('%s', (_, [answer, expected]) => {
    expect(bell({ stdout: says(answer) })).toEqual(expected);
  });

  test('stderr is reported, as far as a message carries it', () => {
    const { output, warnings } = bell({ stderr: 'x'.repeat(200_000) });
    expect(output).toEqual({});
    expect(warnings[0]?.message).toHaveLength('Exit code 2 does not deny on bell: '.length + 500);
    expect(bell({ stderr: ' ' }).warnings).toEqual([{ code: 'no_effect', message: 'Exit code 2 does not deny on bell.' }]);
  });
});

describe('any other exit code', () => {
  test('is a failure that carries what was said', () => {
    expect(decoded({ exitCode: 1, stdout: 'out', stderr: 'err' })).toEqual({
      failure: {
        code: 'exit_code',
        message: 'BeforeTool hook "guard" failed with exit code 1 and is ignored. Exit with 2 to deny. It printed: err',
      },
      warnings: [],
    });
    expect(decoded({ exitCode: 137, stdout: 'out' }).failure?.message).toContain(
      '(128 + 9, as after signal 9) and is ignored. It printed: out',
    );
    expect(decoded({ exitCode: 1, stderr: 'x'.repeat(200_000) }).failure?.message.length).toBeLessThan(650);
  });

  test('says with 127 and 126 what to fix', () => {
    const stderr = 'bash: line 1: ./guard.sh: No such file or directory';
    expect(decoded({ exitCode: 127, stderr }).failure).toEqual(
      reported('missing_command', 'Check the path; a relative one counts from the moon'),
    );
    expect(decoded({ exitCode: 126 }).failure).toEqual(reported('not_executable', 'chmod +x'));
  });

  test.each([
    ['a decision', deny, 'the decision "deny"'],
    ['a stop', { continue: false }, 'continue: false'],
  ])('%s that was printed does not count, and that is said', (_, answer, what) => {
    const { output, failure, warnings } = decoded({ exitCode: 3, stdout: says(answer) });
    expect({ output, code: failure?.code }).toEqual({ output: undefined, code: 'exit_code' });
    expect(warnings).toEqual([reported('decision_ignored', `${what}, which is ignored, because it exited with 3`)]);
  });
});

describe('any other exit code, where objects count', () => {
  const format = { objectsCountOnFailure: true };
  const failing = (printed: Printed, exitCode = 1) => decoded({ exitCode, ...printed }, { format });
  const remark = (effect: string, printed = '') => ({
    code: 'exit_code',
    message: `BeforeTool hook "guard" failed with exit code 1${effect}. Exit with 2 to deny.${printed}`,
  });
  const counted = ', but its output is still used';

  test.each([
    ['a deny', { ...deny, why: 'no' }, { decision: 'deny', reason: 'no' }],
    ['an allow', allow, { decision: 'allow' }],
    ['a rewrite', { more: { tool_input: {} } }, { hookSpecificOutput: { tool_input: {} } }],
  ])('%s counts, and a warning carries stderr', (_, answer, output) => {
    expect(failing({ stdout: says(answer), stderr: 'err' })).toEqual({ output, warnings: [remark(counted, ' It printed: err')] });
    expect(failing({ stdout: says(answer) }).warnings).toEqual([remark(counted)]);
  });

  test('a command that it did not find is reported next to its answer', () => {
    expect(failing({ stdout: says(deny) }, 127).warnings).toEqual([reported('missing_command', counted)]);
  });

  test('among lines of text an objection counts', () => {
    const { output, warnings } = failing({ stdout: `a\n${says({ ...deny, why: 'no' })}` });
    expect(output).toEqual({ decision: 'deny', reason: 'no' });
    expect(codesOf(warnings)).toEqual(['exit_code', 'mixed_output']);
    expect(failing({ stdout: `a\n${says({ continue: false })}` }).output).toEqual({ continue: false });
  });

  test.each([
    ['an allow among lines of text', `a\n${says(allow)}`, ['mixed_output']],
    ['an object that is a line of a log', `a\n${says({ odd: 1 })}`, ['mixed_output', 'no_effect']],
    ['a text', 'out', []],
    ['JSON that is not an object', '[1]', ['not_an_object']],
    ['half an object', '{"say":', ['invalid_json']],
    ['nothing', '', []],
  ])('%s is a failure', (_, stdout, codes) => {
    const { output, failure, warnings } = failing({ stdout, stderr: 'err' });
    expect({ output, failure }).toEqual({ output: undefined, failure: remark(' and is ignored', ' It printed: err') });
    expect(codesOf(warnings)).toEqual(codes);
  });

  test('half an answer does not', () => {
    const { output, failure } = failing({ stdout: `${says(deny)}\nmore`, stdoutTruncated: true });
    expect({ output, code: failure?.code }).toEqual({ output: undefined, code: 'exit_code' });
  });
});

describe('any other exit code, where a text denies', () => {
  const format = { objectsCountOnFailure: true, textDenies: (exitCode: number) => exitCode > 2 };
  const failing = (printed: Printed) => decoded({ exitCode: 3, ...printed }, { format });

  test.each([
    ['of stdout', { stdout: ' out\n', stderr: 'err' }, 'out'],
    ['of stderr, where stdout is blank', { stdout: '\n', stderr: ' err ' }, 'err'],
    ['with an object in it that does not object', { stdout: `out\n${says(allow)}` }, `out\n${says(allow)}`],
    ['that was cut off', { stdout: 'out', stdoutTruncated: true }, 'out'],
  ])('a text %s is the reason', (_, printed, reason) => {
    expect(failing(printed).output).toEqual({ decision: 'deny', reason });
  });

  test('a command that is not found is reported next to the deny', () => {
    const { output, warnings } = failing({ exitCode: 127, stderr: 'bash: line 1: ./guard.sh: No such file or directory' });
    expect(output?.decision).toBe('deny');
    expect(warnings).toEqual([reported('missing_command', '"./guard.sh"')]);
  });

  test.each([
    ['nothing', {}],
    ['JSON that is not an object', { stdout: '42' }],
    ['another exit code', { exitCode: 1, stdout: 'out' }],
  ])('%s is a failure', (_, printed) => {
    expect(failing(printed)).toMatchObject({ failure: { code: 'exit_code' } });
  });

  test('an object decides alone', () => {
    expect(failing({ stdout: says(allow), stderr: 'err' }).output).toEqual({ decision: 'allow' });
  });
});

describe('stderr, where a format reads it', () => {
  test('is a failure where it was cut off, as stdout is', () => {
    const read = reading({ stderr: says(deny), stderrTruncated: true });
    expect(read).toMatchObject({ failure: { code: 'output_truncated' } });
    expect(read.output).toBeUndefined();
  });

  const reading = (printed: Printed) => decoded(printed, { format: { readsStderr: true, objectsCountOnFailure: true } });

  test('is the answer where stdout is blank', () => {
    expect(reading({ stdout: ' \n', stderr: says({ ...deny, why: 'no' }) })).toEqual({
      output: { decision: 'deny', reason: 'no' },
      warnings: [],
    });
    expect(reading({ exitCode: 2, stderr: says({ ...deny, hint: 'no' }) }).output).toEqual({ decision: 'deny', reason: 'no' });
    expect(reading({ exitCode: 1, stderr: says(deny) }).output).toEqual({ decision: 'deny' });
  });

  test.each<[string, Printed, object | undefined, string[]]>([
    ['beside stdout', { stdout: '{}', stderr: says(deny) }, {}, []],
    ['a text', { stderr: 'loading' }, undefined, []],
    ['a list', { stderr: '[1]' }, undefined, ['not_an_object']],
    ['half of an object', { stderr: '{"say":' }, undefined, ['invalid_json']],
  ])('is not valid as %s', (_, printed, output, codes) => {
    const read = reading(printed);
    expect(read.output).toEqual(output);
    expect(read.failure).toBeUndefined();
    expect(codesOf(read.warnings)).toEqual(codes);
  });

  test('is searched for objects like stdout, and named in what is said of them', () => {
    expect(reading({ stderr: `loading\n${says({ ...deny, why: 'no' })}` })).toEqual({
      output: { decision: 'deny', reason: 'no' },
      warnings: [reported('mixed_output', 'stderr mixes JSON with other text ("loading"). Only a deny')],
    });
    expect(reading({ stderr: `loading\n${says(allow)}` })).not.toHaveProperty('output');
    expect(reading({ stderr: 'say: {verdict: "deny"}' }).warnings).toEqual([reported('decision_in_text', 'stderr contains a decision')]);
    expect(reading({ stderr: '{"say":' }).warnings).toEqual([reported('invalid_json', 'A line of stderr begins')]);
    expect(reading({ stderr: JSON.stringify(says(deny)) }).warnings).toEqual([reported('double_encoded', 'stderr is a JSON string')]);
  });
});

test('an end that no command has is a fault of ours', () => {
  const answered = { kind: 'answered' as const, answer: deny, durationMs: 1 };
  expect(decodeCommand(answered, eventOf('BeforeTool'), guardOf('BeforeTool', 'call'), invented)).toEqual({
    failure: { code: 'internal_error', message: 'An invented hook cannot end as "answered".' },
    warnings: [],
  });
});
