import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookExecutionResponse } from '@tenterhook/protocol';
import { outcomeAt, settingsOf, withEndingHooks } from '../support/fire-hooks.js';

// Tests what a hook receives on its standard input, and what happens if it does not read it, with real processes.

/** Returns what a hook wrote to the file `got` of its project when it was fired with this tool input. */
async function gotBy(command: string, toolInput: Record<string, unknown>): Promise<Buffer> {
  const settings = settingsOf('BeforeTool', [`{ ${command}; } > got`]);
  return withEndingHooks({ settings }, async ({ handler, projectDir }) => {
    const result = await handler.fireBeforeToolEvent('write_file', toolInput);
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', stderr: '', warnings: [] });
    return readFileSync(join(projectDir, 'got'));
  });
}

const readers: Record<string, string> = {
  'cat, which waits for the end': 'cat',
  'cat /dev/stdin': 'cat /dev/stdin',
  'cat /proc/self/fd/0': 'cat /proc/self/fd/0',
  'a shell that opens it under another number': 'exec 3</dev/stdin; cat <&3',
  'a shell that reads it line by line': 'while IFS= read -r line || [ -n "$line" ]; do printf %s "$line"; done',
  'dd, a byte at a time': 'dd bs=1 status=none',
  'Python, sys.stdin': `python3 -c 'import sys; sys.stdout.write(sys.stdin.read())'`,
  "Python, open('/dev/stdin')": `python3 -c 'import sys; sys.stdout.write(open("/dev/stdin").read())'`,
  'node, the descriptor': `node -e 'process.stdout.write(fs.readFileSync(0))'`,
  'node, the path': `node -e 'process.stdout.write(fs.readFileSync("/dev/stdin"))'`,
  'node, the stream': `node -e 'process.stdin.pipe(process.stdout)'`,
  'the child of a child': `sh -c 'sh -c cat'`,
};

test.each(Object.entries(readers))('%s: one JSON object, whole, and nothing after it', async (_, command) => {
  const toolInput = { path: 'a b/"c"\\d', text: 'ä€😀\n', list: [1, null, true, {}] };
  const got = (await gotBy(command, toolInput)).toString();
  const input = JSON.parse(got);
  expect(input).toMatchObject({ hook_event_name: 'BeforeTool', session_id: 's1', tool_name: 'write_file', tool_input: toolInput });
  expect(got).toBe(JSON.stringify(input));
});

test('who opens it again reads it from the start again', async () => {
  const [first, second, ...more] = (await gotBy('cat /dev/stdin; echo; cat /dev/stdin; echo; cat < /dev/stdin', { a: 1 }))
    .toString()
    .split('\n');
  expect(JSON.parse(first as string)).toMatchObject({ tool_input: { a: 1 } });
  expect([second, more]).toEqual([first, [first]]);
});

test('every hook of an event reads it whole, also those that run side by side', async () => {
  const commands = Array.from({ length: 6 }, (_, index) => `cat > got-${index}`);
  await withEndingHooks({ settings: settingsOf('BeforeTool', commands) }, async ({ handler, read }) => {
    await handler.fireBeforeToolEvent('write_file', { text: 'x'.repeat(200_000) });
    const texts = commands.map((_, index) => read(`got-${index}`));
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ tool_input: { text: 'x'.repeat(200_000) } });
    expect(new Set(texts).size).toBe(1);
  });
});

const large = { text: 'x'.repeat(5_000_000) };

test.each([
  ['never reads', 'true'],
  ['closes it at once', 'exec <&-'],
  ['has another one', 'exec < /dev/null; cat'],
  ['reads a part', 'head -c 100000 > /dev/null'],
  ['reads a part, and its child another', 'dd bs=1000 count=1 status=none > /dev/null; head -c 1000 > /dev/null'],
  ['becomes a program that does not read', 'exec true'],
  ['reads all of it', 'cat > /dev/null'],
])('of an input of 5 MB a hook that %s is as healthy as any other, and its answer counts', async (_, command) => {
  const silent = await fireWith(command);
  expect(outcomeAt(silent, 0)).toMatchObject({ status: 'succeeded', exitCode: 0, stderr: '', warnings: [] });
  if (command.startsWith('exec true')) return;
  const denied = await fireWith(`${command}; echo '{"decision":"deny","reason":"no"}'`);
  expect(denied.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});

test('a hook that blocks before it has read anything of 5 MB blocks', async () => {
  const result = await fireWith('echo no >&2; exit 2');
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0).warnings).toEqual([]);
});

function fireWith(command: string) {
  const settings = settingsOf('BeforeTool', [command]);
  return withEndingHooks({ settings }, ({ handler }) => handler.fireBeforeToolEvent('write_file', large));
}

test('every code unit arrives, lone surrogates as escapes: what a hook reads is UTF-8, and is what was sent', async () => {
  const text = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join(' ');
  const got = await gotBy('cat', { text, pair: '\uD83D\uDE00', [`key \uDC00 "\u2028`]: '\0' });
  expect(isUtf8(got)).toBe(true);
  const { tool_input } = JSON.parse(got.toString());
  expect(tool_input.text === text).toBe(true);
  expect(tool_input).toMatchObject({ pair: '😀', [`key \uDC00 "\u2028`]: '\0' });
  expect(got.includes('\\ud800')).toBe(true);
});

test('fields that are undefined are left out, and minus zero is zero', async () => {
  const { tool_input } = JSON.parse((await gotBy('cat', { none: undefined, list: [-0] })).toString());
  expect(tool_input).toEqual({ list: [0] });
});

const circle: Record<string, unknown> = { name: 'a' };
circle['self'] = { again: circle };

const throwing = () => {
  throw new Error('oops');
};

/** What is sent, the path where it is no longer JSON, and the reason. */
const unserialisable: Record<string, [Record<string, unknown>, string, string]> = {
  'a BigInt': [{ list: [1, { size: 5n }] }, 'tool_input.list[1].size', 'BigInt'],
  'an object that contains itself': [{ circle }, 'tool_input.circle.self.again', 'itself'],
  'a toJSON': [{ deep: { toJSON: throwing } }, 'tool_input.deep', 'toJSON'],
  'an infinite number': [JSON.parse('{"amount":1e999}'), 'tool_input.amount', 'Infinity'],
  'a number that is null as JSON': [{ list: [Number.NaN] }, 'tool_input.list[0]', 'NaN'],
  'a function': [{ call: () => 1 }, 'tool_input.call', 'function'],
  'a Map': [{ map: new Map([[1, 2]]) }, 'tool_input.map', 'A Map'],
  'a getter that throws': [Object.defineProperty({}, 'secret', { enumerable: true, get: throwing }), 'tool_input.secret', 'oops'],
};

test.each(Object.entries(unserialisable))('%s: nothing is started, and what is wrong is said', async (_, [toolInput, path, why]) => {
  const settings = settingsOf('BeforeTool', [{ command: 'echo > started' }, { command: 'echo > started; true', onError: 'block' }]);
  await withEndingHooks({ settings }, async ({ hooks, handler, progress, read }) => {
    const result = await handler.fireBeforeToolEvent('write_file', toolInput);
    const input = { tool_name: 'write_file', tool_input: toolInput };
    const response: Pick<HookExecutionResponse, 'error'> = await hooks.bus.request('HOOK_EXECUTION_REQUEST', {
      eventName: 'BeforeTool',
      input,
    });
    expect(result).toMatchObject({
      success: false,
      errors: expect.arrayContaining([expect.objectContaining({ code: 'validation_failed' })]),
    });
    // A guard that could not be asked has not agreed.
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [outcomeAt(result, 1).hookId] });
    for (const message of [result.errors[0]?.message, response.error?.message]) {
      expect(message).toContain(path);
      expect(message).toContain(why);
    }
    expect(read('started')).toBeUndefined();
    expect(progress.filter(({ kind }) => kind === 'hook-started')).toEqual([]);
  });
});

test('an event after one that could not be written is like any other', async () => {
  await withEndingHooks({ settings: settingsOf('BeforeTool', ['cat > got']) }, async ({ handler, read }) => {
    expect((await handler.fireBeforeToolEvent('write_file', { circle })).success).toBe(false);
    expect((await handler.fireBeforeToolEvent('write_file', { a: 1 })).success).toBe(true);
    expect(JSON.parse(read('got') ?? '')).toMatchObject({ tool_input: { a: 1 } });
  });
});
