import type { Decoded, HookEventName } from '@tenterhook/protocol';
import fc from 'fast-check';
import { eventOf } from '../event-of.js';
import { codesOf, type Printed } from '../printed.js';
import { hostileTexts } from './hostile-texts.js';
import { decoded, dialect, hookOf } from './llxprt-rig.js';

const deny = '{"decision":"deny","reason":"no"}';
const allow = '{"decision":"allow","reason":"ok"}';
const named = expect.stringMatching(/guard.*2/);

interface Case {
  readonly printed: Printed;
  readonly eventName?: HookEventName;
  readonly output?: Decoded['output'] | object;
  readonly failure?: string;
  readonly warnings?: readonly string[];
}

const cases: Record<string, Case> = {
  'exit 0 in silence is not an opinion': { printed: {} },
  'exit 0 with white space is not an opinion': { printed: { stdout: ' \n\t\n' } },
  'exit 0 with JSON on stderr alone is not an opinion': { printed: { stderr: deny }, warnings: ['decision_on_stderr'] },
  'exit 0 with an object is that output': { printed: { stdout: deny, stderr: 'x' }, output: { decision: 'deny', reason: 'no' } },
  'exit 0 with a byte order mark before the object': {
    printed: { stdout: `\uFEFF ${deny}\n` },
    output: { decision: 'deny', reason: 'no' },
  },
  'exit 0 with text is a system message': { printed: { stdout: ' all good \n' }, output: { systemMessage: 'all good' } },
  'exit 0 with text that begins like an object has a warning': {
    printed: { stdout: '{oops' },
    output: { systemMessage: '{oops' },
    warnings: ['invalid_json'],
  },
  'exit 0 with a number is not an opinion': { printed: { stdout: '42' }, warnings: ['not_an_object'] },
  'exit 0 with a list is not an opinion, whatever is in it': { printed: { stdout: `[${deny}]` }, warnings: ['not_an_object'] },
  'exit 0 with null is not an opinion': { printed: { stdout: 'null' }, warnings: ['not_an_object'] },
  'exit 0 with a JSON text is not an opinion': { printed: { stdout: '"deny"' }, warnings: ['not_an_object'] },
  'exit 0 with an object written as a JSON text is unwrapped': {
    printed: { stdout: JSON.stringify(deny) },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['double_encoded'],
  },
  'exit 0 with an object that is wrapped twice is not': {
    printed: { stdout: JSON.stringify(JSON.stringify(deny)) },
    warnings: ['not_an_object'],
  },
  'exit 0 with log lines: a deny counts': {
    printed: { stdout: `log\n${deny}` },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output'],
  },
  'exit 0 with log lines: a lone allow is not an opinion': {
    printed: { stdout: `log\n${allow}` },
    output: { systemMessage: `log\n${allow}` },
    warnings: ['mixed_output'],
  },
  'exit 0 with log lines: a lone permissionDecision allow is not an opinion': {
    printed: { stdout: 'log\n{"hookSpecificOutput":{"permissionDecision":"allow"}}' },
    output: { systemMessage: expect.any(String) },
    warnings: ['mixed_output'],
  },
  'exit 0 with log lines: an ask counts': {
    printed: { stdout: 'log\n{"decision":"ask"}' },
    output: { decision: 'ask' },
    warnings: ['mixed_output'],
  },
  'exit 0 with two objects: the strictest decision with its reason, and no other field': {
    printed: { stdout: `{"decision":"deny","reason":"no","systemMessage":"a"}\n{"decision":"allow","reason":"ok","systemMessage":"b"}` },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output'],
  },
  'exit 0 with two objects: a stop among them counts': {
    printed: { stdout: '{"continue":false,"stopReason":"s"}\n{"systemMessage":"b"}' },
    output: { continue: false, stopReason: 's' },
    warnings: ['mixed_output'],
  },
  'exit 0 that was cut off is a failure and no message': {
    printed: { stdout: '{"deci', stdoutTruncated: true },
    failure: 'output_truncated',
  },
  'exit 0 that was cut off behind a whole object is a failure, too': {
    printed: { stdout: `${allow}\n`, stdoutTruncated: true },
    failure: 'output_truncated',
  },
  'exit 0 with a deny beside a field that is nested too deeply: the field is dropped, the deny counts': {
    printed: { stdout: `{"decision":"deny","reason":"no","echo":${'['.repeat(300)}${']'.repeat(300)}}` },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['too_deep'],
  },
  'exit 0 with log lines and such a deny: the same': {
    printed: { stdout: `log\n{"decision":"deny","reason":"no","hookSpecificOutput":{"echo":${'['.repeat(300)}${']'.repeat(300)}}}` },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output', 'too_deep'],
  },
  'exit 0 with a deny over several lines before lines that begin with a brace': {
    printed: {
      stdout: `log\n${JSON.stringify({ decision: 'deny', reason: 'no' }, null, 2)}\n${'int main()\n{\n  if (x)\n  {\n  }\n}\n'.repeat(50)}`,
    },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output'],
  },
  'exit 0 with log lines and a deny beside a field of 20,000 levels: the same': {
    printed: { stdout: `log\n{"decision":"deny","reason":"no","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}` },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output', 'too_deep'],
  },
  'exit 0 with half an object behind a log line': {
    printed: { stdout: 'log\n{"decision":"deny"' },
    output: { systemMessage: 'log\n{"decision":"deny"' },
    warnings: ['invalid_json'],
  },
  'exit 0 with an object that ends within its first name, behind a log line': {
    printed: { stdout: 'log\n{ "deci' },
    output: { systemMessage: 'log\n{ "deci' },
    warnings: ['invalid_json'],
  },
  'exit 0 with an object as Python prints it, behind a log line': {
    printed: { stdout: "log\n{'systemMessage': 'x'}" },
    output: { systemMessage: expect.any(String) },
    warnings: ['invalid_json'],
  },
  'exit 0 with an object as node prints it, behind a log line': {
    printed: { stdout: "log\n{ reason: 'of {a}', decision: 'deny' }" },
    output: { systemMessage: expect.any(String) },
    warnings: ['decision_in_text'],
  },
  'exit 0 with a deny behind a word on its line': {
    printed: { stdout: `INFO ${deny}` },
    output: { systemMessage: `INFO ${deny}` },
    warnings: ['decision_in_text'],
  },
  'exit 0 with a stop behind a word on its line': {
    printed: { stdout: 'INFO {"continue": false}' },
    output: { systemMessage: expect.any(String) },
    warnings: ['decision_in_text'],
  },
  'exit 0 with a rewrite behind a word on its line': {
    printed: { stdout: 'INFO {"hookSpecificOutput":{"tool_input":{}}}' },
    output: { systemMessage: expect.any(String) },
    warnings: ['decision_in_text'],
  },
  'exit 0 with a deny in a list behind a log line': {
    printed: { stdout: `log\n[${deny}]` },
    output: { systemMessage: expect.any(String) },
    warnings: ['decision_in_text'],
  },
  'exit 0 with a deny written as a JSON text behind a log line': {
    printed: { stdout: `log\n${JSON.stringify(deny)}` },
    output: { systemMessage: expect.any(String) },
    warnings: ['decision_in_text'],
  },
  'exit 0 with a deny behind another object on its line': {
    printed: { stdout: `{"systemMessage":"m"} ${deny}` },
    output: { systemMessage: `{"systemMessage":"m"} ${deny}` },
    warnings: ['mixed_output', 'decision_in_text'],
  },
  'exit 0 with half a deny beside an object': {
    printed: { stdout: '{"systemMessage":"m"}\n{"decision":"deny"' },
    output: { systemMessage: '{"systemMessage":"m"}\n{"decision":"deny"' },
    warnings: ['mixed_output', 'invalid_json'],
  },
  'exit 0 with a deny and a log line that speaks of decisions': {
    printed: { stdout: `the "decision": is below\n${deny}` },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output', 'decision_in_text'],
  },
  'exit 0 with text about decisions is text, without a warning': {
    printed: { stdout: 'Decision: deny nothing {5}; continue: yes\nint main()\n{\n  return;\n}' },
    output: { systemMessage: expect.any(String) },
  },
  'exit 0 with a deny behind a colour': {
    printed: { stdout: `\u001B[0m${deny}` },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output'],
  },
  'exit 0 with a deny in colours, its text included': {
    printed: {
      stdout:
        'log\n\u001B[1;39m{\u001B[0m\n  \u001B[34;1m"decision"\u001B[0m: "deny", "reason": "\u001B[31mno\u001B(B\u001B[m"\n}\u001B[0m',
    },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output'],
  },
  'exit 0 with a deny behind the title of a window': {
    printed: { stdout: `\u001B]0;title\u0007${deny}` },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output'],
  },
  'exit 0 with an allow in colours is not an opinion, as behind a log line': {
    printed: { stdout: `\u001B[32m${allow}\u001B[0m` },
    output: { systemMessage: expect.any(String) },
    warnings: ['mixed_output'],
  },
  'exit 0 with a deny behind a progress bar, which goes back to the start of its line': {
    printed: { stdout: ` 50%\r100%\r${deny}` },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output'],
  },
  'exit 0 with a known field in other letters: no opinion, loudly': {
    printed: { stdout: '{"Decision":"deny"}' },
    output: { Decision: 'deny' },
    warnings: ['other_spelling'],
  },
  'exit 2 with an object behind a word on its line': {
    printed: { exitCode: 2, stdout: `INFO ${deny}`, stderr: 'e' },
    output: { decision: 'deny', reason: 'e' },
    warnings: ['decision_in_text'],
  },
  'exit 2 with log lines: the reason of an object counts if the object objects': {
    printed: { exitCode: 2, stdout: 'log\n{"reason":"of the JSON","decision":"ask"}', stderr: 'e' },
    output: { decision: 'deny', reason: 'of the JSON' },
    warnings: ['mixed_output', 'decision_ignored'],
  },
  'exit 2 with log lines: the reason of another object does not': {
    printed: { exitCode: 2, stdout: 'log\n{"reason":"of the JSON"}', stderr: 'e' },
    output: { decision: 'deny', reason: 'e' },
    warnings: ['mixed_output'],
  },
  'exit 0 with an allow written as a JSON text is not an opinion': {
    printed: { stdout: JSON.stringify(allow) },
    warnings: ['double_encoded'],
  },
  'exit 0 with permissionDecision alone: it is the decision': {
    printed: { stdout: '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"p"}}' },
    output: { decision: 'deny', reason: 'p', hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'p' } },
  },
  'exit 0 with both decisions: the stricter counts, with its reason': {
    printed: {
      stdout: '{"decision":"allow","reason":"r","hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"p"}}',
    },
    output: { decision: 'ask', reason: 'p', hookSpecificOutput: expect.anything() },
  },
  'exit 0 with both decisions: the looser permissionDecision changes nothing': {
    printed: {
      stdout: '{"decision":"deny","reason":"r","hookSpecificOutput":{"permissionDecision":"allow","permissionDecisionReason":"p"}}',
    },
    output: { decision: 'deny', reason: 'r', hookSpecificOutput: expect.anything() },
  },
  'permissionDecision is a field of BeforeTool alone': {
    eventName: 'AfterTool',
    printed: { stdout: '{"hookSpecificOutput":{"permissionDecision":"deny"}}' },
    output: { hookSpecificOutput: {} },
    warnings: ['no_effect'],
  },
  'exit 2 in silence has a reason that names the hook and the code': {
    printed: { exitCode: 2 },
    output: { decision: 'deny', reason: named },
  },
  'exit 2 with the reason of an object, before stderr': {
    printed: { exitCode: 2, stdout: deny, stderr: 'e' },
    output: { decision: 'deny', reason: 'no' },
  },
  'exit 2 with the stop reason of an object, before stderr': {
    printed: { exitCode: 2, stdout: '{"continue":false,"stopReason":"s"}', stderr: 'e' },
    output: { decision: 'deny', reason: 's', continue: false, stopReason: 's' },
  },
  'exit 2 with stderr, before text': { printed: { exitCode: 2, stdout: 'o', stderr: ' e\n' }, output: { decision: 'deny', reason: 'e' } },
  'exit 2 with text alone': { printed: { exitCode: 2, stdout: 'o\n' }, output: { decision: 'deny', reason: 'o' } },
  'exit 2 with an empty reason is like one without': {
    printed: { exitCode: 2, stdout: '{"reason":""}', stderr: 'e' },
    output: { decision: 'deny', reason: 'e' },
  },
  'exit 2 with {} blocks': { printed: { exitCode: 2, stdout: '{}' }, output: { decision: 'deny', reason: named } },
  'exit 2 with allow blocks': {
    printed: { exitCode: 2, stdout: '{"decision":"allow"}', stderr: 'e' },
    output: { decision: 'deny', reason: 'e' },
    warnings: ['decision_ignored'],
  },
  'exit 2 with ask blocks': {
    printed: { exitCode: 2, stdout: '{"decision":"ask"}' },
    output: { decision: 'deny', reason: named },
    warnings: ['decision_ignored'],
  },
  'exit 2 with a number blocks, and the number is the reason': {
    printed: { exitCode: 2, stdout: '42' },
    output: { decision: 'deny', reason: '42' },
    warnings: ['not_an_object'],
  },
  'exit 2 with an object behind a log line': {
    printed: { exitCode: 2, stdout: `log\n${deny}`, stderr: 'e' },
    output: { decision: 'deny', reason: 'no' },
    warnings: ['mixed_output'],
  },
  'exit 2 that was cut off blocks': {
    printed: { exitCode: 2, stdout: '{"decision":"al', stderr: 'e', stdoutTruncated: true },
    output: { decision: 'deny', reason: 'e' },
    warnings: ['invalid_json'],
  },
  'exit 2 with JSON nested too deeply blocks': {
    printed: { exitCode: 2, stdout: '['.repeat(300) + ']'.repeat(300), stderr: 'e' },
    output: { decision: 'deny', reason: 'e' },
    warnings: ['not_an_object'],
  },
  'exit 2 with a rewrite blocks and rewrites nothing; message and context count': {
    printed: {
      exitCode: 2,
      stdout: '{"reason":"r","systemMessage":"m","hookSpecificOutput":{"tool_input":{"a":1},"additionalContext":"c"}}',
    },
    output: { decision: 'deny', reason: 'r', systemMessage: 'm', hookSpecificOutput: { additionalContext: 'c' } },
    warnings: ['rewrite_ignored'],
  },
  'exit 2 of BeforeModel gives no response in place of the model': {
    eventName: 'BeforeModel',
    printed: { exitCode: 2, stdout: '{"reason":"r","hookSpecificOutput":{"llm_response":{"text":"x"}}}' },
    output: { decision: 'deny', reason: 'r' },
    warnings: ['rewrite_ignored'],
  },
  'exit 1 is a failure with stderr': { printed: { exitCode: 1, stdout: 'o', stderr: 'broke' }, failure: 'exit_code' },
  'exit 1 with a deny: the decision is ignored, and that is said': {
    printed: { exitCode: 1, stdout: deny },
    failure: 'exit_code',
    warnings: ['decision_ignored'],
  },
  'exit 1 with an allow: the decision is ignored, and that is said': {
    printed: { exitCode: 1, stdout: allow },
    failure: 'exit_code',
    warnings: ['decision_ignored'],
  },
  'exit 1 with a stop: the stop is ignored, and that is said': {
    printed: { exitCode: 1, stdout: '{"continue":false}' },
    failure: 'exit_code',
    warnings: ['decision_ignored'],
  },
  'exit 1 with a deny behind a log line: ignored, and that is said': {
    printed: { exitCode: 1, stdout: `log\n${deny}` },
    failure: 'exit_code',
    warnings: ['decision_ignored'],
  },
  'exit 1 with an object that decides nothing': { printed: { exitCode: 1, stdout: '{"systemMessage":"m"}' }, failure: 'exit_code' },
  'exit 126 is a command that cannot be executed': { printed: { exitCode: 126, stderr: 'Permission denied' }, failure: 'not_executable' },
  'exit 127 is a missing command': { printed: { exitCode: 127, stderr: 'not found' }, failure: 'missing_command' },
};

test.each(Object.entries(cases))('%s', (_, { printed, eventName, output, failure, warnings = [] }) => {
  const result = decoded(printed, eventName);
  expect(result.output).toEqual(output);
  expect(result.failure?.code).toBe(failure);
  expect(codesOf(result.warnings)).toEqual(warnings);
});

const stdouts = ['', 'text', '{}', allow, deny, `log\n${allow}`, '42', '{oops', JSON.stringify(allow), '{"continue":false}'];
const grid = Array.from({ length: 256 }, (_, exitCode) => exitCode);

test.each(grid.filter((exitCode) => exitCode > 2 || exitCode === 1))(
  'exit %i fails, whatever is printed, and obeys nothing (decision 4)',
  (exitCode) => {
    for (const stdout of stdouts) {
      for (const stderr of ['', 'e']) {
        const result = decoded({ exitCode, stdout, stderr });
        expect(result).not.toHaveProperty('output');
        expect(result.failure?.message).toContain(stderr || stdout.trim());
      }
    }
  },
);

test('exit 2 denies with a reason, whatever is printed (decision 3)', () => {
  for (const stdout of stdouts) {
    for (const stderr of ['', 'e']) {
      const { output } = decoded({ exitCode: 2, stdout, stderr });
      expect(output?.decision).toBe('deny');
      expect(output?.reason).toMatch(/\S/);
    }
  }
});

test('the warning of a failure says what the hook said on stderr, else on stdout, and is bounded', () => {
  expect(decoded({ exitCode: 1, stdout: 'o', stderr: 'broke' }).failure?.message).toMatch(
    /"guard" failed with exit code 1 and is ignored\. Exit with 2 to deny\. It printed: broke$/,
  );
  expect(decoded({ exitCode: 1, stdout: 'o' }).failure?.message).toMatch(/ It printed: o$/);
  expect(decoded({ exitCode: 1, stderr: 'e'.repeat(10_000) }).failure?.message.length).toBeLessThan(700);
  expect(decoded({ exitCode: 127, stderr: '' }).failure?.message).toContain(' The command is "./guard.sh".');
});

test('a hook without a name is called by its command', () => {
  const exit = {
    kind: 'exited',
    exitCode: 2,
    durationMs: 1,
    leftProcesses: 0,
    stdout: '',
    stderr: '',
    stdoutBytes: 0,
    stderrBytes: 0,
  } as const;
  const complete = {
    ...exit,
    stdoutTruncated: false,
    stderrTruncated: false,
    invalidUtf8: false,
  };
  expect(dialect.decode(complete, eventOf('BeforeTool'), hookOf()).output?.reason).toContain('"./guard.sh"');
});

test('an end that no command hook can have is a failure of that hook', () => {
  const answered = { kind: 'answered', answer: { decision: 'allow' }, durationMs: 1 } as const;
  expect(dialect.decode(answered, eventOf('BeforeTool'), hookOf())).toMatchObject({ failure: { code: 'internal_error' } });
});

const fragment = fc.constantFrom(
  '{',
  '}',
  '"decision"',
  ':',
  '"allow"',
  '"ask"',
  'null',
  ',',
  '\n',
  '"continue":false',
  '"hookSpecificOutput":{}',
  '{"decision":"allow"}',
  'log',
);
const printedText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fragment, { maxLength: 20 }).map((parts) => parts.join('')),
  fc.json(),
);
const anyEvent = fc.constantFrom<HookEventName>('BeforeTool', 'AfterTool', 'BeforeModel', 'BeforeToolSelection', 'Notification');

test('no text without the word of a deny becomes one with exit 0, and decoding never throws', () => {
  fc.assert(
    fc.property(printedText, fc.string(), anyEvent, (stdout, stderr, eventName) => {
      fc.pre(!/deny|block|\\u/i.test(stdout));
      expect(['deny', 'block']).not.toContain(decoded({ stdout, stderr }, eventName).output?.decision);
    }),
    { numRuns: 2000 },
  );
});

test('no text becomes an allow with any other exit code, and decoding never throws', () => {
  fc.assert(
    fc.property(printedText, fc.string(), fc.integer({ min: 1, max: 255 }), anyEvent, (stdout, stderr, exitCode, eventName) => {
      expect(decoded({ exitCode, stdout, stderr }, eventName).output?.decision).toBe(exitCode === 2 ? 'deny' : undefined);
    }),
    { numRuns: 2000 },
  );
});

test('a deny on a own line is a deny, whatever is logged around it', () => {
  const log = fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[{}"]/g, ''));
  fc.assert(
    fc.property(log, log, (before, after) => {
      expect(decoded({ stdout: `${before}\n${deny}\n${after}` }).output).toMatchObject({ decision: 'deny', reason: 'no' });
    }),
  );
});

test('a warning about an answer in a text shows its place, and says where an answer stands', () => {
  const [warning] = decoded({ stdout: `${'x'.repeat(9000)} INFO ${deny} ${'x'.repeat(9000)}` }).warnings;
  expect(warning?.message).toMatch(/INFO \{\\"decision\\".* own line\.$/);
  expect(warning?.message.length).toBeLessThan(300);
});

const anyLine = fc.oneof(
  fc.constantFrom(
    '{',
    '[',
    '}',
    ']',
    '"',
    '{"a":',
    '{"a":[',
    '{}',
    '{"continue":false}',
    allow,
    '{"decision":"ask"}',
    '\u001B[0m',
    '\u001B]',
    'x\r',
  ),
  fc.string({ unit: 'binary' }),
  fc.json(),
);

test('a deny that starts a line is a deny between any lines, braces and quotes included', () => {
  fc.assert(
    fc.property(
      fc.array(anyLine),
      fc.array(anyLine),
      fc.constantFrom('', ' \t', '\u001B[31m'),
      fc.boolean(),
      (before, after, indent, pretty) => {
        // A line of text ends any open JSON, so the deny is an object, not a field of another object.
        const text = [...before, 'log', `${indent}${pretty ? JSON.stringify(JSON.parse(deny), null, 2) : deny}`, ...after].join('\n');
        expect(decoded({ stdout: text }).output).toMatchObject({ decision: 'deny', reason: 'no' });
      },
    ),
    { numRuns: 2000 },
  );
});

test.each(Object.entries(hostileTexts(100_000)))('a deny before and after much of %s is a deny', (_, garbage) => {
  expect(decoded({ stdout: `log\n${deny}\n${garbage}` }).output?.decision).toBe('deny');
  expect(decoded({ stdout: `log\n${garbage}\nlog\n${deny}` }).output?.decision).toBe('deny');
});

test('a deny counts whatever number of objects follows it', () => {
  const others = ['{"decision":"ask"}', '{"continue":true}', '{"type":"block"}', '{"hookSpecificOutput":{"permissionDecision":"deny"}}'];
  for (const other of others) {
    expect(decoded({ stdout: `log\n${deny}\n${`${other}\n`.repeat(9000)}` }, 'AfterTool').output?.decision).toBe('deny');
  }
});

test('a text that has to do as the reason of exit 2 is cut at a bounded length', () => {
  const { output } = decoded({ exitCode: 2, stdout: 'x'.repeat(1_000_000), stdoutTruncated: true });
  expect(output?.reason).toBe(`${'x'.repeat(65_535)}…`);
});
