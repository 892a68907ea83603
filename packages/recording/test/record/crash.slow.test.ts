import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../../test/support/until.js';
import { readRecording } from '../../src/index.js';
import { inDirectory, linesOf } from '../recording-rig.js';

const fixture = join(import.meta.dirname, '../fixtures/record-events.mjs');

test(
  'record-replay case 4: after 20 SIGKILLs every line but the last is whole, and appending leaves no bad line',
  () =>
    inDirectory(async (directory) => {
      for (let run = 0; run < 20; run += 1) {
        const file = join(directory, `run${run}.bus.jsonl`);
        const child = spawn(process.execPath, [fixture, file, '1000000', '300000'], { stdio: ['ignore', 'pipe', 'inherit'] });
        await once(child.stdout, 'data');
        // Other moments of the run in each round, without a clock: the size of the file.
        await until('the file has grown', () => statSync(file).size >= 400_000 * (run % 5));
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
        const lines = readFileSync(file, 'utf8').split('\n');
        const torn = lines.pop();
        for (const line of lines) JSON.parse(line);
        const { problems } = await readRecording(file);
        expect(problems.map(({ code }) => code)).toEqual([...(torn === '' ? [] : ['torn']), 'interrupted']);
        const again = spawnSync(process.execPath, [fixture, file, '3', '10', 'append'], { encoding: 'utf8' });
        expect({ stderr: again.stderr, status: again.status }).toEqual({ stderr: '', status: 0 });
        expect(linesOf(file).at(-1)).toMatchObject({ note: 'end' });
        expect((await readRecording(file)).problems).toEqual([]);
      }
    }),
  900_000,
);
