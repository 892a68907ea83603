import fc from 'fast-check';

/**
 * Generates output that is almost an answer: objects written character by character, so that names can occur twice and numbers can exceed
 * any type, between log lines, with byte order marks, and then damaged byte by byte.
 */

const words = ['deny', 'block', 'ask', 'allow', 'approve', 'DENY', 'denied', ''];
const names = ['decision', 'reason', 'continue', 'stopReason', 'systemMessage', 'suppressOutput', 'permissionDecision', 'Decision', 'x'];
const rewrites = ['tool_input', 'llm_request', 'llm_response', 'toolConfig', 'updatedInput', 'replacedPrompt', 'retryAfterMs'];
const modelNames = [
  'contents',
  'parts',
  'systemInstruction',
  'generationConfig',
  'messages',
  'config',
  'candidates',
  'text',
  'mode',
  'role',
];
const oddNames = ['__proto__', 'constructor', 'toString', 'hookEventName', 'additionalContext', '', '\u2028', '\uD800'];

const wordText = fc.constantFrom(...words).map((word) => JSON.stringify(word));
const scalarText = fc.oneof(
  fc.constantFrom(
    'true',
    'false',
    'null',
    '0',
    '-0',
    '1e999',
    '-1e999',
    '1e-999',
    '12345678901234567890123',
    '0.1e+2',
    '"\\ud800"',
    '"\\u0000"',
  ),
  fc.constantFrom(
    '"{\\"decision\\":\\"deny\\"}"',
    '"\\n{\\"decision\\":\\"deny\\"}"',
    '[{"decision":"deny"}]',
    '{"decision":"deny"}',
    '[]',
    '{}',
  ),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
);
const nameText = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...names, ...rewrites, ...modelNames, ...oddNames).map((name) => JSON.stringify(name)) },
  { weight: 1, arbitrary: fc.constantFrom('"\\u0064ecision"', '"dec\\u0069sion"', '"hook\\u0053pecificOutput"') },
);

function objectText(members: fc.Arbitrary<[string, string]>): fc.Arbitrary<string> {
  const space = fc.constantFrom('', '', ' ', '\n', '\r\n', '\n  ');
  return fc.tuple(fc.array(members, { maxLength: 4 }), space).map(([list, gap]) => {
    const inside = list.map(([name, value]) => `${gap}${name}:${value}`).join(',');
    return `{${inside}${gap}}`;
  });
}

const specificText = objectText(
  fc.oneof(
    fc.tuple(fc.constant('"permissionDecision"'), wordText),
    fc.tuple(nameText, fc.oneof(scalarText, objectText(fc.tuple(nameText, scalarText)))),
  ),
);

/** Generates the text of one object. */
const answerText = objectText(
  fc.oneof(
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom('"decision"', '"decision"', '"\\u0064ecision"'), wordText) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('"continue"'), fc.constantFrom('false', 'true', '"false"')) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('"hookSpecificOutput"'), fc.oneof(specificText, scalarText)) },
    { weight: 1, arbitrary: fc.tuple(nameText, scalarText) },
  ),
);

const logLine = fc.oneof(
  fc.constantFrom('', 'log', '{', '}', '[', '"', '{"a":', '{"a":[', ']}', ',', 'INFO {', '\u001B[31m', '\u001B]0;x', '\0', '\uFEFF', '\\'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const lineBreak = fc.constantFrom('\n', '\n', '\r\n', '\r', '');
const wrapped = answerText.chain((text) => fc.constantFrom(text, text, text, JSON.stringify(text), `[${text}]`, `${text}${text}`));

const text = fc
  .tuple(
    fc.constantFrom('', '', '', '\uFEFF', '\uFEFF\uFEFF', ' \t', '\0'),
    fc.array(fc.oneof(logLine, wrapped, wrapped), { minLength: 1, maxLength: 4 }),
    lineBreak,
    fc.constantFrom('', '\n', '\r\n', '\0', ' '),
  )
  .map(([before, lines, between, after]) => `${before}${lines.join(between)}${after}`);

interface Damage {
  readonly kind: 'flip' | 'cut' | 'double' | 'insert' | 'drop-end';
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

const token = fc.constantFrom(
  '"',
  '{',
  '}',
  '[',
  ']',
  '\\',
  ',',
  ':',
  '\n',
  '\r',
  '\0',
  '\uFEFF',
  '\u001B[0m',
  '"decision":"deny"',
  'log\n',
  ' ',
);
// Invalid UTF-8: a byte that begins no character, an overlong slash, a surrogate, a character cut in two.
const brokenBytes = fc.constantFrom([0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xff, 0xfe]);
const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'double', 'insert', 'drop-end'),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 12 }),
  bytes: fc.oneof(
    token.map((inserted) => new Uint8Array(Buffer.from(inserted))),
    brokenBytes.map((bytes) => Uint8Array.from(bytes)),
    fc.uint8Array({ minLength: 1, maxLength: 3 }),
  ),
});

function damaged(bytes: Buffer, { kind, at, length, bytes: inserted }: Damage): Buffer {
  const start = bytes.length === 0 ? 0 : at % bytes.length;
  const [head, tail] = [bytes.subarray(0, start), bytes.subarray(start)];
  switch (kind) {
    case 'flip':
      return Buffer.concat([head, inserted.subarray(0, 1), tail.subarray(1)]);
    case 'cut':
      return Buffer.concat([head, tail.subarray(length)]);
    case 'double':
      return Buffer.concat([head, tail.subarray(0, length), tail]);
    case 'insert':
      return Buffer.concat([head, inserted, tail]);
    case 'drop-end':
      return head;
  }
}

const encoded = fc.tuple(text, fc.constantFrom<BufferEncoding>('utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'utf16le'));

/** Generates bytes as a process writes them. */
export const nearJson: fc.Arbitrary<Uint8Array> = fc
  .tuple(encoded, fc.oneof(fc.constant([]), fc.array(damage, { maxLength: 3 })))
  .map(([[printed, encoding], damages]) => damages.reduce(damaged, Buffer.from(printed, encoding)));

/** Generates the same without damage and of few kinds, so that most runs contain an answer. */
export const wholeAnswers: fc.Arbitrary<Uint8Array> = text.map((printed) => new Uint8Array(Buffer.from(printed)));
