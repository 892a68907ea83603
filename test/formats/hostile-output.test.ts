import { llxprt } from '@tenterhook/dialects';
import {
  type AggregatedHookResult,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  hookEventNames,
  type ReadableExit,
} from '@tenterhook/protocol';
import fc from 'fast-check';
import { aggregateOutcomes } from '../../packages/engine/src/aggregator/aggregate.js';
import { applyRewrites } from '../../packages/engine/src/aggregator/rewrites.js';
import { fireTool, outcomeAt, says, warningCodes } from '../support/fire-hooks.js';

describe('malformed output', () => {
  const base = { session_id: 's', transcript_path: '', cwd: '/', hook_event_name: 'x', timestamp: '2026-11-21T10:00:00.000Z' };
  const model = {
    llm_request: { messages: [], config: { topP: 1 }, toolConfig: { mode: 'AUTO' } },
    llm_response: { text: 'a', candidates: [{ content: {} }] },
  };
  const eventOf = (eventName: HookEventName): HookEvent => ({
    eventName,
    input: { ...base, ...model, tool_input: {}, tool_response: {}, prompt: 'p' },
    projectDir: '/',
  });

  const dialect = llxprt();
  const hook = {
    id: 'h',
    dialect: 'llxprt',
    source: 'user',
    dialectEvent: 'x',
    timeoutMs: 1000,
    onError: 'continue' as const,
    action: { kind: 'command' as const, command: 'x' },
    dialectData: {},
  };

  function outcomeOf(hookId: string, eventName: HookEventName, stdout: string): HookOutcome {
    const sizes = {
      stdoutBytes: 0,
      stderrBytes: 0,
      stdoutTruncated: false,
      stderrTruncated: false,
      invalidUtf8: false,
    };
    const exit: ReadableExit = { kind: 'exited', exitCode: 0, durationMs: 1, leftProcesses: 0, stdout, stderr: '', ...sizes };
    const { output, failure, warnings } = dialect.decode(exit, eventOf(eventName), { ...hook, eventName });
    const status = failure ? 'failed' : output?.decision === 'deny' || output?.decision === 'block' ? 'blocked' : 'succeeded';
    return {
      hookId,
      eventName,
      source: 'user',
      dialect: 'llxprt',
      status,
      durationMs: 1,
      ...(output && !failure ? { output } : {}),
      warnings: [...warnings],
    };
  }

  const fields = ['decision', 'reason', 'continue', 'stopReason', 'suppressOutput', 'systemMessage'];
  const specificFields = [
    'tool_input',
    'llm_request',
    'llm_response',
    'toolConfig',
    'additionalContext',
    'permissionDecision',
    'updatedInput',
    'retryAfterMs',
  ];
  const modelFields = ['messages', 'contents', 'config', 'candidates', 'text', 'mode', 'allowedFunctionNames', 'systemInstruction'];
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      'deny',
      'allow',
      'ask',
      true,
      false,
      null,
      5,
      'x',
      [],
      {},
      [5],
      ['a'],
      { text: 5 },
      'ANY',
      [{ content: null }],
      [null],
    ),
    fc.jsonValue(),
  );
  const specific = fc.oneof(
    fc.dictionary(fc.constantFrom(...specificFields), fc.oneof(value, fc.dictionary(fc.constantFrom(...modelFields), value))),
    value,
  );
  const printed = fc
    .tuple(fc.dictionary(fc.constantFrom(...fields), value), specific)
    .map(([output, hookSpecificOutput]) => JSON.stringify({ ...output, hookSpecificOutput }));

  test('whatever the other hooks of an event print, a deny is a deny and the merge does not fail (decision 34, field failure 4)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...hookEventNames), fc.array(printed, { maxLength: 4 }), fc.nat(), (eventName, texts, place) => {
        const outcomes = texts.map((text, index) => outcomeOf(`h${index}`, eventName, text));
        outcomes.splice(place % (outcomes.length + 1), 0, outcomeOf('guard', eventName, '{"decision":"deny","reason":"no"}'));
        const result = aggregateOutcomes(applyRewrites({ event: eventOf(eventName), outcomes: [], changes: [] }, outcomes), 0);
        expect(result.verdict.kind).toBe('deny');
        expect(result.verdict.by).toContain('guard');
        expect(result.finalOutput?.isBlockingDecision()).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  const guard = '{"decision":"deny","reason":"no"}';
  const lost: Record<string, string> = {
    'half of it': guard.slice(0, -1),
    'half of it behind a log line': `log\n${guard.slice(0, -1)}`,
    'behind a word on its line': `INFO ${guard}`,
    'in a list': `[${guard}]`,
    'in a list behind a log line': `log\n[${guard}]`,
    'wrapped twice': JSON.stringify(JSON.stringify(guard)),
    'wrapped behind a log line': `log\n${JSON.stringify(guard)}`,
    'as Python prints it, behind a log line': "log\n{'decision': 'deny', 'reason': 'no'}",
    'as node prints it, behind a log line': "log\n{ decision: 'deny', reason: 'no' }",
    'with a comma too many, behind a log line': 'log\n{"decision":"deny",}',
    'in other letters': '{"Decision":"deny"}',
    'in other letters behind a log line': 'log\n{"DECISION":"deny"}',
    'in capitals': '{"decision":"DENY"}',
  };

  test.each(Object.entries(lost))('a deny that is printed %s is not a deny, and never silent', (_, stdout) => {
    const outcome = outcomeOf('h', 'BeforeTool', stdout);
    expect(outcome.status).toBe('succeeded');
    expect(outcome.warnings.length).toBeGreaterThan(0);
  });

  const logLine = fc.oneof(fc.constantFrom('{', '[', '"', '}', '{"a":', '{}', '\u001B[0m'), fc.string({ unit: 'grapheme' }), printed);

  test('whatever a hook logs around an object that starts a line, its deny is a deny', () => {
    fc.assert(
      fc.property(fc.array(logLine), fc.array(logLine), fc.constantFrom('\n', '\r\n', '\r'), (before, after, lineBreak) => {
        // A line of text ends all objects that are open, so the deny is an object of its own, not a field of another.
        expect(outcomeOf('h', 'BeforeTool', [...before, 'log', guard, ...after].join(lineBreak)).status).toBe('blocked');
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['decision at the wrong level', { hookSpecificOutput: { decision: 'deny' } }, 'next to hookSpecificOutput'],
    ['permissionDecision at the wrong level', { permissionDecision: 'deny' }, 'into hookSpecificOutput'],
    ['tool_input at the wrong level', { tool_input: { a: 1 } }, 'into hookSpecificOutput'],
  ])('%s is said to have no effect there', async (_, answer, remedy) => {
    const { warnings } = outcomeAt(await fireTool([says(answer)]), 0);
    expect(warnings[0]).toEqual({ code: 'no_effect', message: expect.stringContaining(remedy) });
    // A guard whose failures deny must not allow because its deny is at the wrong level.
    expect(warnings.slice(1).map(({ code }) => code)).toEqual('tool_input' in answer ? [] : ['other_spelling']);
  });

  test('a deny in front of what opens stdout anew counts', async () => {
    const result = await fireTool([`${says({ decision: 'deny', reason: 'no' })}; echo done > /dev/stdout`]);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });

  test('a deny behind a mark of the byte order in the middle of stdout counts', async () => {
    const result = await fireTool([`printf 'log\\n\\357\\273\\277{"decision":"deny","reason":"no"}\\n'`]);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

describe('text is text', () => {
  // Tests output that is not plain UTF-8 on short lines, with real processes: what the user of the result sees.

  const deny = '{"decision":"deny","reason":"no"}';
  const allow = '{"decision":"allow","reason":"ok"}';
  const bom = [0xef, 0xbb, 0xbf];
  const smiley = [0xf0, 0x9f, 0x98, 0x80];

  /** A command that prints these bytes, each part with a separate write. */
  function prints(...parts: readonly (string | readonly number[])[]): string {
    const octal = (part: string | readonly number[]) =>
      [...Buffer.from(part as string)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
    return parts.map((part) => `printf '${octal(part).join('')}'`).join('; ');
  }

  async function fired(command: string) {
    const result = await fireTool([command]);
    const outcome = outcomeAt(result, 0);
    return { status: outcome.status, kind: result.verdict.kind, reason: result.verdict.reason, codes: warningCodes(outcome), outcome };
  }

  test.each([1, 2, 3])('a character of four bytes that is written in two parts, %i bytes first, is that character', async (first) => {
    const command = prints('{"decision":"deny","reason":"', smiley.slice(0, first), smiley.slice(first), '"}');
    expect(await fired(command)).toMatchObject({ kind: 'deny', reason: '😀', codes: [] });
  });

  test('an answer that is written byte by byte, and by several processes, is that answer', async () => {
    const bytes = [...Buffer.from('{"decision":"deny","reason":"ä€😀"}')];
    expect(await fired(prints(...bytes.map((byte) => [byte])))).toMatchObject({ kind: 'deny', reason: 'ä€😀', codes: [] });
    const byChildren = bytes.map((byte, index) =>
      index % 8 === 0 ? `sh -c "${prints([byte]).replaceAll('\\', '\\\\')}"` : prints([byte]),
    );
    expect(await fired(byChildren.join('; '))).toMatchObject({ kind: 'deny', reason: 'ä€😀', codes: [] });
  });

  test('a character on stderr that is written in parts is one character in the reason', async () => {
    const command = `{ ${prints(smiley.slice(0, 1), smiley.slice(1))}; } >&2; exit 2`;
    expect(await fired(command)).toMatchObject({ status: 'blocked', kind: 'deny', reason: '😀', codes: [] });
  });

  interface Case {
    readonly printed: readonly (string | readonly number[])[];
    readonly kind: AggregatedHookResult['verdict']['kind'];
    readonly reason?: string;
    readonly codes?: readonly string[];
  }

  const lines = '{\r\n  "decision": "allow",\r\n  "reason": "ok"\r\n}\r\n';
  const utf16 = (text: string) => [...Buffer.from(text, 'utf16le')];

  const cases: Record<string, Case> = {
    'a mark of the byte order before the object': { printed: [bom, allow], kind: 'allow' },
    'two marks of the byte order before the object': { printed: [bom, bom, allow], kind: 'allow' },
    'a mark of the byte order before a log line and the object': {
      printed: [bom, 'log\n', bom, deny],
      kind: 'deny',
      codes: ['mixed_output'],
    },
    'an object on lines that end in CR and LF': { printed: [lines], kind: 'allow' },
    'log lines that end in CR and LF around a deny': { printed: [`log\r\n${deny}\r\nlog\r\n`], kind: 'deny', codes: ['mixed_output'] },
    'log lines that end in CR alone around a deny': { printed: [`50%\r${deny}\r100%\r`], kind: 'deny', codes: ['mixed_output'] },
    'a NUL before a deny': { printed: [[0], deny], kind: 'deny', codes: ['mixed_output'] },
    'a NUL behind a deny': { printed: [deny, [0]], kind: 'deny', codes: ['mixed_output'] },
    'a NUL in the reason of a deny': {
      printed: ['{"decision":"deny","reason":"n', [0], 'o"}'],
      kind: 'deny',
      reason: 'no',
      codes: ['mixed_output'],
    },
    'a NUL before an allow, which is not a clean answer any more': { printed: [[0], allow], kind: 'none', codes: ['mixed_output'] },
    'NULs between log lines and a deny': { printed: ['a', [0], 'b\n', [0, 0], deny, '\n', [0]], kind: 'deny', codes: ['mixed_output'] },
    'nothing but NULs': { printed: [[0, 0, 0]], kind: 'none' },
    'an overlong slash beside a deny': { printed: [[0xc0, 0xaf], `\n${deny}`], kind: 'deny', codes: ['mixed_output', 'invalid_utf8'] },
    'a byte that continues nothing beside a deny': {
      printed: [[0x80], `\n${deny}`],
      kind: 'deny',
      codes: ['mixed_output', 'invalid_utf8'],
    },
    'a deny and a character that the end cuts off': {
      printed: [`${deny}\n`, smiley.slice(0, 3)],
      kind: 'deny',
      codes: ['mixed_output', 'invalid_utf8'],
    },
    'an encoded surrogate beside a deny': {
      printed: [[0xed, 0xa0, 0x80], `\n${deny}`],
      kind: 'deny',
      codes: ['mixed_output', 'invalid_utf8'],
    },
    'a Latin-1 letter in the reason of a deny': {
      printed: ['{"decision":"deny","reason":"verf', [0xfc], 'gbar"}'],
      kind: 'deny',
      reason: 'verf\uFFFDgbar',
      codes: ['invalid_utf8'],
    },
    'a Latin-1 letter in an allow, which is whole nevertheless': {
      printed: ['{"decision":"allow","reason":"', [0xfc], '"}'],
      kind: 'allow',
      reason: '\uFFFD',
      codes: ['invalid_utf8'],
    },
    'a byte that is wrong within the word of a decision': {
      printed: ['{"decision":"den', [0xff], '"}'],
      kind: 'none',
      codes: ['wrong_type', 'invalid_utf8'],
    },
    'a deny in UTF-16, as PowerShell writes it to a file': {
      printed: [[0xff, 0xfe], utf16(`${deny}\r\n`)],
      kind: 'none',
      codes: ['decision_in_text', 'invalid_utf8'],
    },
    'a deny in UTF-16 behind a line in UTF-16': {
      printed: [[0xff, 0xfe], utf16(`log\r\n${deny}\r\n`)],
      kind: 'deny',
      codes: ['mixed_output', 'invalid_utf8'],
    },
    'a deny in UTF-16 without a mark of the byte order': { printed: [utf16(deny)], kind: 'deny', codes: ['mixed_output'] },
    'an allow in UTF-16 without a mark of the byte order': { printed: [utf16(allow)], kind: 'none', codes: ['mixed_output'] },
  };

  test.each(Object.entries(cases))('%s', async (_, { printed, kind, reason, codes = [] }) => {
    const seen = await fired(prints(...printed));
    expect(seen).toMatchObject({ status: kind === 'deny' ? 'blocked' : 'succeeded', kind });
    expect(seen.codes).toEqual(codes);
    if (reason !== undefined) expect(seen.reason).toBe(reason);
  });

  test('what is wrong on stderr is replaced and said, and the block counts', async () => {
    const command = `{ ${prints(bom, 'verf', [0xfc], 'gbar', [0])}; } >&2; exit 2`;
    expect(await fired(command)).toMatchObject({ status: 'blocked', kind: 'deny', codes: ['invalid_utf8'] });
  });
});
