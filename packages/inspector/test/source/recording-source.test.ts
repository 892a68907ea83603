import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecording, reportOf } from '@tenterhook/recording';
import type { EventDetails, EventRow, StreamLine } from '../../src/api/messages.js';
import { startInspector } from '../../src/start-inspector.js';
import {
  eventLines,
  header,
  inDirectory,
  inspecting,
  messageLine,
  type OpenedInspector,
  openInspector,
  writeRecording,
} from '../inspector-rig.js';

const isStats = (line: StreamLine) => line.kind === 'stats';

async function rowsOf(inspector: OpenedInspector): Promise<EventRow[]> {
  return (await inspector.lines('/api/stream', isStats)).flatMap((line) => (line.kind === 'rows' ? line.rows : []));
}

async function notesOf(file: string): Promise<readonly string[]> {
  const inspector = await openInspector({ recordings: [file] });
  const { source } = await inspector.json('/api/about');
  await inspector.close();
  return source.notes;
}

const secret = 'hunter2hunter2hunter2';
// Put together here, so that a search for leaked keys finds nothing.
const [openai, github] = [`sk-${'proj-'}${secret}`, `gh${'p_'}${secret}`];
const shapes = [
  `GITHUB_TOKEN=${secret} npm publish`,
  `curl -H 'Authorization: Bearer ${secret}' x`,
  `git push https://me:${secret}@example.org/x`,
  `uses ${openai} here (${github})`,
  JSON.stringify({ api_key: secret, a: 1 }),
  JSON.stringify({ text: JSON.stringify({ password: secret }) }),
  `${'line\n'.repeat(30_000)}TOKEN=${secret}`,
];

test('12. no shape of a secret is in a response of the API, also if the recording has it as it is', async () => {
  const lines = shapes.flatMap((text, index) => {
    const hook = {
      hookId: `llxprt/project/BeforeTool/${text}`,
      name: text,
      eventName: 'BeforeTool',
      source: text,
      dialect: 'llxprt',
    };
    const outcome = {
      ...hook,
      status: 'failed',
      durationMs: 1,
      stdout: text,
      stderr: text,
      output: { decision: 'deny', reason: text },
      warnings: [{ code: 'exit_code', message: text }],
    };
    return eventLines(index, {
      input: { tool_name: text, session_id: text, tool_input: { content: text, password: secret, list: ['--token', secret] } },
      outcomes: [outcome, { ...outcome, hookId: 'other', status: 'skipped', skipReason: text }],
      output: {
        verdict: { kind: 'deny', reason: text, by: [hook.hookId], stop: false, stoppedBy: [] },
        changes: [{ path: 'tool_input.password', hookId: hook.hookId, before: secret, after: text }],
      },
    });
  });
  const about = JSON.stringify({
    t: 1,
    note: 'about',
    hooks: shapes.map((text) => ({ hookId: text, matcher: text, file: text })),
    files: shapes.map((file) => ({ file })),
    diagnostics: shapes.map((message) => ({ code: 'x', message, remedy: message })),
  });
  await inDirectory(async (directory) => {
    const file = writeRecording(join(directory, 'run.bus.jsonl'), [about, ...lines], { ...header, masked: false });
    const other = writeRecording(join(directory, 'other.bus.jsonl'), lines.slice(5), { ...header, masked: false, id: 'b' });
    const payloads = lines.map((line) => (JSON.parse(line) as { payload: object }).payload);
    const inspector = await openInspector({
      recordings: [file, other],
      findAgents: async () => shapes.map((text) => ({ pid: 1, name: text, cwd: text, startedAt: text, version: text, isAttached: false })),
      findAgent: async () => {
        throw new Error(shapes.join(' '));
      },
      askFiles: async () => ({
        hooks: shapes.map((text) => ({ hookId: text, name: text, wouldRun: true, reason: text, command: text, stdin: text, cwd: text })),
        issues: shapes.map((text) => ({ path: text, message: text, remedy: text })),
      }),
      runFiles: async () => ({ request: payloads[0] as object, progress: payloads.slice(1, 4), response: payloads[4] as object }),
    });
    const answers = [JSON.stringify(await rowsOf(inspector))];
    for (const path of ['/api/about', '/api/statistics', '/api/agents', '/api/compare'])
      answers.push(await (await inspector.get(path)).text());
    const asked = { eventName: 'BeforeTool', input: { text: shapes }, shown: 'x' };
    for (const path of ['/api/explain', '/api/preview', '/api/run']) answers.push(await (await inspector.post(path, asked)).text());
    answers.push(await (await inspector.get('/api/run/1/hooks/0/stdout')).text());
    answers.push(await (await inspector.post('/api/attach', { pid: 1 })).text());
    // Each has an answer of its own, and not a refusal.
    for (const answer of answers.slice(3, -1)) expect(answer).toContain('***');
    for (const index of shapes.keys()) {
      answers.push(await (await inspector.get(`/api/events/${index}`)).text());
      for (const name of ['stdout', 'stderr']) {
        for (let from = 0; from < 200_000; from += 65_536)
          answers.push(await (await inspector.get(`/api/events/${index}/hooks/0/${name}?from=${from}`)).text());
      }
    }
    answers.push(await (await inspector.post('/api/export', { rows: [[0, shapes.length]] })).text());
    for (const answer of answers) expect(answer).not.toContain('hunter2');
    expect(answers.join('')).toContain('npm publish');
    await inspector.close();

    const open = await openInspector({ recordings: [file], mask: false });
    expect(JSON.stringify(await open.json('/api/events/0'))).toContain(secret);
    expect(await open.json('/api/about')).toMatchObject({ isMasked: false });
    await open.close();
  });
});

test('details have each hook with what it read, printed and decided, and the sentence about those that did not run', async () => {
  const hookId = 'llxprt/project/BeforeTool/guard';
  const outcome = { hookId, name: 'guard', eventName: 'BeforeTool', source: 'project', dialect: 'llxprt', durationMs: 4 };
  const denied = {
    ...outcome,
    status: 'blocked',
    exitCode: 2,
    stdout: 'x'.repeat(100_000),
    stderr: 'no\u202e',
    output: { decision: 'deny', reason: 'no' },
    warnings: [{ code: 'odd', message: 'odd' }],
  };
  const skipped = { ...outcome, hookId: 'other', status: 'skipped', skipReason: 'matcher', warnings: [] };
  const lines = eventLines(0, {
    outcomes: [denied, skipped],
    output: {
      verdict: { kind: 'deny', reason: 'no', by: [hookId], stop: true, stoppedBy: [hookId] },
      changes: [{ path: 'tool_input.a', hookId, before: 1, after: { b: 2 } }],
    },
  });
  await inspecting(lines, async (inspector) => {
    const details = (await inspector.json('/api/events/0')) as EventDetails;
    expect(details).toMatchObject({
      row: {
        n: 0,
        event: 'BeforeTool',
        subject: 'write_file',
        session: 's1',
        run: 1,
        all: 2,
        verdict: 'deny',
        stop: true,
        state: 'answered',
        durationMs: 6,
        at: Date.parse(header.startedAt) + 1,
      },
      verdict: { kind: 'deny', reason: 'no', by: [hookId] },
      hooks: [
        {
          hookId,
          name: 'guard',
          stage: 1,
          status: 'blocked',
          startMs: 1,
          endMs: 5,
          timeoutMs: 60_000,
          exitCode: 2,
          decision: 'deny',
          reason: 'no',
          warnings: [{ code: 'odd', message: 'odd' }],
          stderr: { text: 'no\u202e', bytes: 5, isWhole: true },
        },
      ],
      notRun: [{ hookId: 'other', skipReason: 'matcher', sentence: 'The matcher does not match this event.' }],
      changes: [{ field: 'tool_input.a', by: hookId, before: 1, after: { b: 2 } }],
      command: `tenterhook fire BeforeTool --input '{"tool_name":"write_file","tool_input":{}}'`,
    });
    const [hook] = details.hooks;
    expect([hook?.stdout?.text.length, hook?.stdout?.bytes, hook?.stdout?.isWhole]).toEqual([65_536, 100_000, false]);
    const rest = await inspector.json('/api/events/0/hooks/0/stdout?from=65536');
    expect(rest).toEqual({ text: 'x'.repeat(100_000 - 65_536), bytes: 100_000, isWhole: true });
    expect((await inspector.get('/api/events/0/hooks/1/stdout')).status).toBe(404);
    expect((await inspector.get('/api/events/1')).status).toBe(404);
  });
});

test('32. a torn, a minimal, an unmasked and an interrupted recording say what they are, and a newer one is refused', async () => {
  await inDirectory(async (directory) => {
    const write = (name: string, first: object, lines: string[], tail = '') => {
      const file = writeRecording(join(directory, `${name}.bus.jsonl`), lines, first);
      writeFileSync(file, readFileSync(file, 'utf8') + tail);
      return file;
    };
    expect(await notesOf(write('torn', header, eventLines(0), '{"n":99'))).toContainEqual(
      expect.stringContaining('torn.bus.jsonl:7: the line has no end'),
    );
    expect(await notesOf(write('minimal', { ...header, form: 'minimal' }, eventLines(0)))).toContainEqual(
      expect.stringContaining('the minimal form has no times'),
    );
    expect(await notesOf(write('open', { ...header, masked: false }, eventLines(0)))).toContainEqual(
      expect.stringContaining('contains secrets as they are'),
    );
    expect(await notesOf(write('odd', header, ['nonsense', '[]', ...eventLines(0)]))).toEqual([
      expect.stringContaining('odd.bus.jsonl:2: the line is not valid JSON'),
      expect.stringContaining('odd.bus.jsonl:3: the line is not an object'),
    ]);
    expect(await notesOf(write('lost', header, [...eventLines(0), ...eventLines(2)]))).toContainEqual(
      expect.stringContaining('15 messages are missing'),
    );
    await expect(startInspector({ recordings: [write('newer', { ...header, version: 2 }, [])] })).rejects.toMatchObject({
      code: 'newer_recording',
      message: expect.stringContaining('version 2; this one reads 1'),
    });
    await expect(startInspector({ recordings: [join(directory, 'missing')] })).rejects.toMatchObject({ code: 'unreadable' });
    await expect(startInspector({ recordings: [write('none', { format: 'x' }, [])] })).rejects.toMatchObject({ code: 'not_a_recording' });
  });
});

test('32. a rotated recording is read as one, and a missing part is reported', async () => {
  await inDirectory(async (directory) => {
    const first = writeRecording(join(directory, 'run.bus.jsonl'), [
      ...eventLines(0),
      JSON.stringify({ t: 9, note: 'part', next: 'run.part2.bus.jsonl' }),
    ]);
    writeRecording(join(directory, 'run.part2.bus.jsonl'), eventLines(1), { ...header, part: 2 });
    writeRecording(join(directory, 'run.part4.bus.jsonl'), eventLines(3), { ...header, part: 4 });
    writeRecording(join(directory, 'run.part5.bus.jsonl'), eventLines(4), { ...header, id: 'another', part: 5 });
    const inspector = await openInspector({ recordings: [first] });
    expect((await rowsOf(inspector)).map(({ correlationId }) => correlationId)).toEqual(['id-0', 'id-1', 'id-3']);
    for (const n of [0, 1, 2]) expect((await inspector.json(`/api/events/${n}`)).response.success).toBe(true);
    expect((await inspector.json('/api/about')).source.notes).toContainEqual(expect.stringContaining('part 3 of the recording is missing'));
    await inspector.close();
  });
});

test('several recordings are one list, and equal ids in them do not mix', async () => {
  await inDirectory(async (directory) => {
    const files = ['a', 'b'].map((name) => writeRecording(join(directory, `${name}.bus.jsonl`), eventLines(0), { ...header, id: name }));
    const inspector = await openInspector({ recordings: files });
    const rows = await rowsOf(inspector);
    expect(rows.map(({ n, correlationId, state }) => [n, correlationId, state])).toEqual([
      [0, 'id-0', 'answered'],
      [1, 'id-0', 'answered'],
    ]);
    expect((await inspector.json('/api/events/1')).response.correlationId).toBe('id-0');
    expect(await inspector.json('/api/statistics')).toMatchObject([{ runs: 2 }]);
    await inspector.close();
  });
});

test('33. an export, opened again, shows the same rows; 31. its report has the figures of the page', async () => {
  const lines = [0, 1, 2, 3, 4].flatMap((index) =>
    eventLines(index, { input: { tool_name: `tool ⟦⟦${index}`, tool_input: { path: '⟦project⟧/a' } } }),
  );
  await inspecting(lines, async (inspector, file) => {
    const exported = `${file}.export.bus.jsonl`;
    writeFileSync(
      exported,
      await (
        await inspector.post('/api/export', {
          rows: [
            [3, 9],
            [1, 1],
            [3, 3],
          ],
        })
      ).text(),
    );
    const again = await openInspector({ recordings: [exported] });
    const comparable = (rows: readonly EventRow[]) => rows.map(({ n: _n, ...row }) => row);
    const original = comparable(await rowsOf(inspector));
    expect(comparable(await rowsOf(again))).toEqual([original[1], original[3], original[4]]);
    expect(original[1]?.subject).toBe('tool ⟦1');
    expect((await again.json('/api/events/0')).request).toEqual((await inspector.json('/api/events/1')).request);
    const recording = await readRecording(exported);
    expect(recording.problems).toEqual([]);
    const [row] = reportOf([recording]).rows;
    const [figures] = await again.json('/api/statistics');
    expect(figures).toMatchObject({ hookId: row?.key, runs: row?.runs, p50Ms: row?.p50Ms, maxMs: row?.maxMs, lastMs: [4, 4, 4] });
    await again.close();
  });
});

test('33. an export of several recordings keeps events with the same id apart', async () => {
  await inDirectory(async (directory) => {
    const [request = ''] = eventLines(0, { id: 'x' });
    const torn = writeRecording(join(directory, 'torn.bus.jsonl'), [request]);
    const whole = writeRecording(join(directory, 'whole.bus.jsonl'), eventLines(0, { id: 'x' }), { ...header, id: 'b' });
    const inspector = await openInspector({ recordings: [torn, whole] });
    const states = async (opened: typeof inspector) => (await rowsOf(opened)).map(({ state }) => state);
    expect(await states(inspector)).toEqual(['running', 'answered']);
    const exported = join(directory, 'export.bus.jsonl');
    writeFileSync(exported, await (await inspector.post('/api/export', { rows: [[0, 1]] })).text());
    const again = await openInspector({ recordings: [exported] });
    expect(await states(again)).toEqual(['running', 'answered']);
    await Promise.all([inspector.close(), again.close()]);
  });
});

test('33. a recording with times that dates cannot have can be exported', async () => {
  const lines = eventLines(0).map((line) => JSON.stringify({ ...(JSON.parse(line) as object), t: 1e300 }));
  await inspecting(lines, async (inspector) => {
    const answer = await inspector.post('/api/export', { rows: [[0, 0]] });
    expect(answer.status).toBe(200);
    expect((await answer.text()).trim().split('\n')).toHaveLength(7);
  });
});

test('12. values of secret fields are masked in the changes of an event that failed, too', async () => {
  const failed = messageLine(2, 'HOOK_EXECUTION_RESPONSE', {
    correlationId: 'x',
    success: false,
    error: {
      code: 'timeout',
      message: 'late',
      details: { outcomes: [], changes: [{ path: 'tool_input.password', hookId: 'a', before: 'hunter2', after: 'hunter3' }] },
    },
  });
  await inspecting([eventLines(0, { id: 'x' })[0] ?? '', failed], async (inspector) => {
    const details = await (await inspector.get('/api/events/0')).text();
    expect(details).toContain('tool_input.password');
    expect(details).not.toMatch(/hunter[23]/);
  });
});

/** Converting this to a text throws. */
const oddObject = { toString: 1, valueOf: 2 };

/** An event whose texts are all replaced. */
function eventsWithout(text: unknown): string[] {
  const outcome = { hookId: text, name: text, status: text, skipReason: text, durationMs: text, engine: text, warnings: [{ code: text }] };
  const failed = { ...outcome, hookId: 'h', status: 'failed' };
  return [
    messageLine(11, 'HOOK_EXECUTION_REQUEST', {
      correlationId: 'odd',
      eventName: 'AfterTool',
      input: { tool_name: text, session_id: text },
    }),
    messageLine(12, 'HOOK_EXECUTION_PROGRESS', { correlationId: 'odd', kind: 'circuit-changed', hookId: text, state: text }),
    messageLine(13, 'HOOK_EXECUTION_RESPONSE', {
      correlationId: 'odd',
      success: true,
      output: {
        outcomes: [outcome, failed],
        verdict: { kind: text, reason: text, by: [text] },
        changes: [{ hookId: text, path: text }],
        errors: [{ hookId: text, code: text }],
      },
    }),
  ];
}

test('a header with objects in place of texts is read', async () => {
  await inDirectory(async (directory) => {
    const writer = { name: oddObject, version: oddObject, node: oddObject };
    const file = writeRecording(join(directory, 'run.bus.jsonl'), eventLines(0), {
      ...header,
      startedAt: oddObject,
      id: oddObject,
      writer,
    });
    expect(await notesOf(file)).toContainEqual(expect.stringContaining('recorded by an object an object, Node an object'));
  });
});

test('two recordings with objects in place of texts are compared', async () => {
  await inDirectory(async (directory) => {
    const recordings = [oddObject, ['x']].map((text, index) => writeRecording(join(directory, `${index}.bus.jsonl`), eventsWithout(text)));
    const inspector = await openInspector({ recordings });
    expect((await inspector.json('/api/compare')).summary).toContain('1 differs');
    await inspector.close();
  });
});

test('odd messages make odd rows, and no error', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const lines = [
    messageLine(1, 'HOOK_EXECUTION_REQUEST', {}),
    messageLine(2, 'HOOK_EXECUTION_REQUEST', { correlationId: '__proto__', eventName: 'constructor', input: 5 }),
    messageLine(3, 'HOOK_EXECUTION_PROGRESS', { correlationId: '__proto__', kind: 'planned', stages: 'x', skipped: 'y' }),
    messageLine(
      4,
      'HOOK_EXECUTION_RESPONSE',
      { correlationId: '__proto__', success: true, output: { outcomes: [{}, 1, { hookId: '__proto__', status: 9 }] } },
      -50,
    ),
    messageLine(5, 'HOOK_EXECUTION_RESPONSE', { correlationId: 'unknown' }),
    ...eventsWithout(oddObject),
    messageLine(6, 'SOMETHING_NEW', {}),
    `{"n":7,"t":7,"type":"HOOK_EXECUTION_REQUEST","payload":{"correlationId":"deep","eventName":"BeforeTool","input":{"a":${deep}}}}`,
  ];
  await inspecting(lines, async (inspector) => {
    const rows = await rowsOf(inspector);
    expect(rows.map(({ event, state }) => [event, state])).toEqual([
      ['', 'running'],
      ['constructor', 'answered'],
      ['', 'failed'],
      ['AfterTool', 'answered'],
      ['BeforeTool', 'running'],
    ]);
    expect(rows[1]?.durationMs).toBe(0);
    for (const { n } of rows) expect((await inspector.get(`/api/events/${n}`)).status).toBe(200);
    expect((await inspector.get('/api/statistics')).status).toBe(200);
    expect((await inspector.post('/api/export', { rows: [[0, 9]] })).status).toBe(200);
  });
});
