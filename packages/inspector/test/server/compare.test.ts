import { join } from 'node:path';
import { compareRecordings, formatDiff, readRecording } from '@tenterhook/recording';
import type { Comparison } from '../../src/api/messages.js';
import { eventLines, inDirectory, inspecting, openInspector, writeRecording } from '../inspector-rig.js';

const verdict = (kind: string, reason: string) => ({ verdict: { kind, reason, by: ['h'], stop: false, stoppedBy: [] } });
const request = (id: string, tool_name: string, more: object = {}) => ({ id, input: { tool_name, tool_input: more } });

const first = [
  ...eventLines(0, request('a', 'write_file')),
  ...eventLines(1, { ...request('b', 'read_file'), output: verdict('allow', 'Fine.') }),
  ...eventLines(2, request('c', 'delete_file')),
];
const second = [
  ...eventLines(0, request('a', 'write_file')),
  ...eventLines(1, { ...request('b', 'read_file'), output: verdict('deny', 'Not with password=hunter2hunter2.') }),
  ...eventLines(2, request('d', 'run_shell_command')),
];

test('two recordings are compared in the words of tenterhook diff, and each request leads to its row', () =>
  inDirectory(async (directory) => {
    const files = [first, second].map((lines, index) => writeRecording(join(directory, `${index}.bus.jsonl`), lines));
    const inspector = await openInspector({ recordings: files });
    try {
      const comparison: Comparison = (await (await inspector.get('/api/compare?before=0&now=1')).json()) as Comparison;
      const [before, now] = await Promise.all(files.map((file) => readRecording(file)));
      const diff = compareRecordings(before as never, now as never, { times: 2 });
      const [head] = formatDiff(diff).split('\n');
      expect(comparison).toMatchObject({ before: files[0], now: files[1], summary: head, more: 0 });
      expect(comparison.different.map(({ kind, title, n }) => [kind, title, n])).toEqual([
        ['changed', '≠ #2 BeforeTool read_file', 1],
        ['removed', '– #3 BeforeTool delete_file: recorded, and not asked', 2],
        ['added', '+ #3 BeforeTool run_shell_command: asked, and not in the recording', 5],
      ]);
      const lines = comparison.different[0]?.lines.join('\n') ?? '';
      expect(lines).toMatch(/^verdict +allow → deny$/m);
      expect(lines).toMatch(/^reason +– Fine\.$/m);
      expect(lines).toContain('password=***');
      expect(JSON.stringify(comparison)).not.toContain('hunter2');
      // In the other direction, what was added is missing.
      const back = (await (await inspector.get('/api/compare?before=1&now=0')).json()) as Comparison;
      expect(back.different.map(({ kind, n }) => [kind, n])).toEqual([
        ['changed', 4],
        ['removed', 5],
        ['added', 2],
      ]);
      const same = (await (await inspector.get('/api/compare?before=1&now=1')).json()) as Comparison;
      expect([same.summary, same.different]).toEqual(['3 requests: 3 same', []]);
      expect((await inspector.get('/api/compare?before=0&now=2')).status).toBe(409);
    } finally {
      await inspector.close();
    }
  }));

test('one recording is not compared with anything, and the answer says what to do', () =>
  inspecting(first, async (inspector) => {
    for (const query of ['', '?before=0&now=1', '?before=__proto__&now=length', '?before=-1&now=0.5']) {
      const answer = await inspector.get(`/api/compare${query}`);
      expect([query, answer.status, await answer.json()]).toEqual([
        query,
        409,
        { error: { code: 'cannot_compare', message: expect.stringContaining('--recording <file> --recording <file>') } },
      ]);
    }
  }));
