import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { readRecording, recordBus } from '../../src/index.js';
import { fireTool, inDirectory, servedBus } from '../recording-rig.js';

// A test starts several processes, each of which takes seconds on a busy machine.
jest.setTimeout(300_000);

const fixture = (name: string) => join(import.meta.dirname, '../fixtures', name);

test('record-replay case 7: a full disk ends the recording with one line on stderr, and the events have the same results', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    // A limit of file sizes, in units of 1024 bytes, has the same effect as a full disk.
    const run = (limit: string) =>
      spawnSync('bash', ['-c', `${limit} exec "$0" "$@"`, process.execPath, fixture('record-events.mjs'), file, '100', '2000'], {
        encoding: 'utf8',
      });
    const limited = run('ulimit -f 100;');
    expect(limited.stderr).toMatch(
      /^tenterhook: .*run\.bus\.jsonl: the recording ends here, because the disk is full, or a limit .* Free space, and record again\.\n$/,
    );
    expect(limited.stdout).toContain(
      '{"verdicts":["{\\"kind\\":\\"allow\\",\\"stop\\":false,\\"by\\":[\\"h\\"],\\"stoppedBy\\":[]}"],"failure":true}',
    );
    expect(limited.status).toBe(0);
    expect(statSync(file).size).toBeLessThanOrEqual(100 * 1024);
    const { problems, messages } = await readRecording(file);
    expect(problems.map(({ code }) => code)).toEqual(['interrupted']);
    expect(messages.length).toBeGreaterThan(10);
  }));

test('record-replay case 7: a disk that is full from the beginning leaves no file, which would be in the way of the next recording', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const full = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, fixture('record-events.mjs'), file, '1'];
    const { status, stderr } = spawnSync('bash', full, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/run\.bus\.jsonl: the recording cannot be written: EFBIG.* Pass another path\./),
    ]);
    expect(existsSync(file)).toBe(false);
  }));

test('record-replay case 7: a recorder that finds a full disk removes nothing that another recorder has written to the file', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const args = ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath, fixture('wait-and-record.mjs'), file];
    const limited = spawn('bash', args, { stdio: ['pipe', 'pipe', 'ignore'] });
    await once(limited.stdout, 'data');
    const bus = servedBus();
    const recorder = recordBus(bus, { file, append: true, thread: false });
    for (let event = 0; event < 20; event += 1) await fireTool(bus, { text: 'y'.repeat(2_000) });
    await recorder.close();
    const before = readFileSync(file, 'utf8');
    limited.stdin.end();
    await once(limited, 'close');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await readRecording(file)).exchanges).toHaveLength(21);
    await bus.close();
  }));

test.each([
  ['exit', 3],
  ['end', 0],
])('a process that ends without close() (%s) has its recording on the disk', (how, status) =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const run = spawnSync(process.execPath, [fixture('exit-without-close.mjs'), file, how], { encoding: 'utf8' });
    expect({ stdout: run.stdout, stderr: run.stderr, status: run.status }).toEqual({ stdout: '', stderr: '', status });
    const { problems, messages, notes } = await readRecording(file);
    expect(problems).toEqual([]);
    expect(messages.map(({ type }) => type)).toEqual(['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_RESPONSE']);
    expect(notes).toEqual([expect.objectContaining({ note: 'end', messages: 2 })]);
    expect(readFileSync(file, 'utf8').length).toBeLessThan(1.1 * 2 ** 20);
  }),
);
