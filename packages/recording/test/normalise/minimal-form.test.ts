import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareRecordings, formatMinimal, readRecording, recordBus, writeMinimal } from '../../src/index.js';
import { fireTool, inDirectory, outcomeOf, resultOf, servedBus } from '../recording-rig.js';

async function record(n: number) {
  const bus = servedBus((input) => {
    const stderr = `at node:internal (Node.js v20.${n})`;
    const outcome = outcomeOf('h', { durationMs: n, stderr, stdout: '{}', output: { systemMessage: `see /tmp/x-abcde${n}` } });
    return resultOf([outcome], {
      totalDuration: n,
      // Not in the order of the protocol.
      verdict: { stop: false, kind: 'allow', stoppedBy: [], by: ['h'] },
      changes: [{ hookId: 'h', path: 'tool_input.id', before: 1, after: (input['tool_input'] as { id?: string }).id }],
    });
  });
  const recorder = recordBus(bus, { roots: { project: `/srv/app${n}`, home: undefined, tmp: '/tmp' } });
  const id = `7b671a64-40d5-491e-99b0-da01ff1f334${n}`;
  await fireTool(bus, { path: `/srv/app${n}/a.txt`, id });
  await bus.request('HOOK_EXECUTION_REQUEST', {
    eventName: 'AfterTool',
    input: { tool_name: 't', tool_input: { id }, tool_use_id: `toolu${n}`, duration_ms: n } as never,
  });
  await recorder.close();
  return recorder.recording();
}

test('record-replay case 18: the minimal form has nothing that differs from run to run, and is the same if it is written again', () =>
  inDirectory(async (directory) => {
    const [one, other] = [await record(1), await record(2)];
    const text = formatMinimal(one);
    expect(formatMinimal(other)).toBe(text);
    expect(text.split('\n')[0]).toBe(
      '{"format":"tenterhook-bus-recording","version":1,"form":"minimal","masked":true,"placeholders":["project","tmp"]}',
    );
    expect(text.split('\n')[1]).toBe(
      '{"type":"HOOK_EXECUTION_REQUEST","payload":{"correlationId":"#1","eventName":"BeforeTool","input":{"tool_name":"write_file","tool_input":{"path":"⟦project⟧/a.txt","id":"id#1"}}}}',
    );
    expect(text).toContain('"verdict":{"kind":"allow","stop":false,"by":["h"],"stoppedBy":[]}');
    expect(text).toContain('"tool_use_id":"id#2"');
    expect(text).not.toMatch(/duration|Node\.js|"n":|"t":|PROGRESS/i);
    const file = join(directory, 'x.bus.jsonl');
    writeFileSync(file, text);
    const read = await readRecording(file);
    expect(read.problems).toEqual([]);
    expect(formatMinimal(read)).toBe(text);
    for (const recording of [one, other]) expect(compareRecordings(read, recording).different).toEqual([]);
    expect(formatMinimal(one, { texts: true })).toContain('Node.js');
  }));

test('record-replay case 18: writing an equal recording changes no byte of the file, also if its texts differ', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    const one = await record(1);
    expect(await writeMinimal(file, one)).toBe('created');
    const text = readFileSync(file, 'utf8').replace('"warnings":[]', '"warnings":[{"code":"no_effect","message":"on Node 22"}]');
    writeFileSync(file, text);
    const bus = servedBus(() => resultOf([outcomeOf('other')]));
    const recorder = recordBus(bus, { roots: { project: '/srv/app', home: undefined, tmp: '/tmp' } });
    await fireTool(bus);
    const other = await recorder.recording();
    const again = join(directory, 'again.bus.jsonl');
    writeFileSync(again, text.replace('on Node 22', 'on Node 20'));
    const warned = await readRecording(again);
    expect(await writeMinimal(file, warned)).toBe('unchanged');
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await writeMinimal(file, other)).toBe('updated');
    expect(readFileSync(file, 'utf8')).toBe(formatMinimal(other));
    writeFileSync(file, 'mine');
    await expect(writeMinimal(file, other)).rejects.toMatchObject({ code: 'not_a_recording' });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  }));
