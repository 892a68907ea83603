import type { HookEventName } from '@tenterhook/protocol';
import { completeInput } from '../../src/events/input.js';

const base = { sessionId: 's1', fallbackSessionId: 'made-up', transcriptPath: '/t.json', cwd: '/srv/app' };
const now = new Date('2026-11-21T10:00:00.000Z');
const tool = { tool_name: 'write_file', tool_input: { path: 'a.txt' } };
const complete = (fields: Record<string, unknown>, changes = {}, eventName: HookEventName = 'BeforeTool') =>
  completeInput(eventName, fields, { ...base, ...changes }, now);

function inputOf(fields: Record<string, unknown>, changes = {}) {
  const completed = complete(fields, changes);
  if (!completed.ok) throw new Error(JSON.stringify(completed.issues));
  return completed.input;
}

test('the base fields are filled in, and come first', () => {
  const input = inputOf(tool);
  expect(input).toEqual({
    session_id: 's1',
    transcript_path: '/t.json',
    cwd: '/srv/app',
    hook_event_name: 'BeforeTool',
    timestamp: '2026-11-21T10:00:00.000Z',
    ...tool,
  });
  expect(Object.keys(input)).toEqual(['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp', 'tool_name', 'tool_input']);
});

test('a request sets its directory and its transcript, and nothing else of them (decision 32, field failure 80)', () => {
  const input = inputOf({
    ...tool,
    session_id: 'x',
    hook_event_name: 'x',
    timestamp: 'x',
    cwd: '/elsewhere',
    transcript_path: '/mine.json',
  });
  expect(input).toMatchObject({
    session_id: 's1',
    hook_event_name: 'BeforeTool',
    timestamp: '2026-11-21T10:00:00.000Z',
    cwd: '/elsewhere',
    transcript_path: '/mine.json',
  });
});

test('a system without a session takes that of the request, else one it made up', () => {
  expect(inputOf({ ...tool, session_id: 'theirs' }, { sessionId: undefined }).session_id).toBe('theirs');
  expect(inputOf({ ...tool, session_id: '' }, { sessionId: undefined }).session_id).toBe('made-up');
  expect(inputOf(tool, { sessionId: undefined }).session_id).toBe('made-up');
});

test('the input is a copy', () => {
  const fields = { ...tool, tool_input: { nested: { a: 1 } } };
  const input = inputOf(fields);
  (input['tool_input'] as { nested: { a: number } }).nested.a = 2;
  expect(fields.tool_input.nested.a).toBe(1);
});

test('a printed __proto__ stays a field', () => {
  const input = inputOf({ ...tool, tool_input: JSON.parse('{"__proto__":{"a":1}}') });
  expect(JSON.stringify(input['tool_input'])).toBe('{"__proto__":{"a":1}}');
});

const invalid: Record<string, [Record<string, unknown>, string]> = {
  'a field that is missing': [{ tool_input: {} }, 'tool_name'],
  'a field of the wrong type': [{ ...tool, tool_input: [1] }, 'tool_input'],
  'a field deep inside': [{ ...tool, mcp_context: { server_name: 5 } }, 'mcp_context.server_name'],
  'a directory that is a number': [{ ...tool, cwd: 5 }, 'cwd'],
  'a transcript that is a number': [{ ...tool, transcript_path: 5 }, 'transcript_path'],
};

test.each(Object.entries(invalid))('%s is an issue with its path', (_, [fields, path]) => {
  expect(complete(fields)).toEqual({ ok: false, issues: [{ path, message: expect.stringMatching(/./) }] });
});

test('the path of an issue tells places of a list, and keys that are not names', () => {
  const completed = complete(
    {
      llm_request: {
        messages: [
          { role: 'user', content: '' },
          { role: 'tool', content: '' },
        ],
      },
    },
    {},
    'BeforeModel',
  );
  expect(completed).toMatchObject({ ok: false, issues: [{ path: 'llm_request.messages[1].role' }] });
});

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;
const shared = { a: 1 };
const unserialisable: Record<string, [unknown, string, RegExp]> = {
  'a BigInt': [{ size: 5n }, 'tool_input.size', /BigInt \(5n\)/],
  'a BigInt in a list': [{ sizes: [1, { of: 5n }] }, 'tool_input.sizes[1].of', /BigInt/],
  'a value that contains itself': [cycle, 'tool_input.self', /contains itself/],
  'a value with a toJSON': [{ at: new Date(0) }, 'tool_input.at', /toJSON/],
  'an infinite number': [JSON.parse('{"n":[1e999]}'), 'tool_input.n[0]', /Infinity/],
};

test.each(Object.entries(unserialisable))(
  '%s cannot be written, and the issue says where (field failure 36)',
  (_, [tool_input, path, message]) => {
    expect(complete({ tool_name: 't', tool_input })).toEqual({ ok: false, issues: [{ path, message: expect.stringMatching(message) }] });
  },
);

test('other fields are shown as well as JSON can, and the issue says where it cannot', () => {
  const request = (config: object) => complete({ llm_request: { messages: [], config } }, {}, 'BeforeModel');
  const odd = { call: () => 1, limit: Number.POSITIVE_INFINITY, date: new Date(0) };
  expect(request(odd)).toMatchObject({ input: { llm_request: { config: { limit: null, date: '1970-01-01T00:00:00.000Z' } } } });
  const throwing = {
    toJSON: () => {
      throw new Error('not me');
    },
  };
  for (const [value, message] of [
    [5n, /BigInt \(5n\)/],
    [cycle, /contains itself/],
    [throwing, /not me/],
  ] as const) {
    expect(request({ a: [value] })).toEqual({
      ok: false,
      issues: [{ path: expect.stringMatching(/^llm_request\.config\.a\[0\]/), message: expect.stringMatching(message) }],
    });
  }
});

test('a value that stands twice does not contain itself', () => {
  expect(inputOf({ ...tool, tool_input: { a: shared, b: shared } })['tool_input']).toEqual({ a: { a: 1 }, b: { a: 1 } });
});

test('for a value that is not allowed, the message lists all allowed ones', () => {
  const completed = completeInput('SessionStart', { source: 'compact' }, base, now);
  const message = 'It is "compact", and must be one of "startup", "resume", "clear", "compress", "fork".';
  expect(completed).toEqual({ ok: false, issues: [{ path: 'source', message }] });
});
