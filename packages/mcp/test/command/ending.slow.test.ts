import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type HookRig, hookRig } from '@tenterhook/testing';
import { openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';

let rig: HookRig;
let place: Place;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  place.remove();
  await rig.close();
});

const sessions = {
  SessionStart: [{ command: `echo start >> "$LLXPRT_PROJECT_DIR/sessions"; ${says({ systemMessage: 'Be careful.' })}` }],
  SessionEnd: [{ command: 'echo end >> "$LLXPRT_PROJECT_DIR/sessions"' }],
};
const sessionLog = () => (existsSync(`${place.directory}/sessions`) ? readFileSync(`${place.directory}/sessions`, 'utf8') : '');

async function open(hooks: Parameters<typeof openPlace>[0], options?: ConstructorParameters<typeof RawClient>[2]): Promise<RawClient> {
  place = openPlace(hooks);
  const client = new RawClient(place, 'raw-server', options);
  await client.initialize();
  return client;
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('M12 the client closes: hooks that hang and a server that ignores everything are gone', async () => {
  const client = await open(
    {
      ...sessions,
      BeforeTool: [{ matcher: 'echo', command: rig.command('guard') }],
      AfterTool: [{ matcher: 'secret', command: rig.command('check') }],
    },
    { serverArgs: ['--stubborn'] },
  );
  client.call('pid');
  const pid = Number(textOf(await client.next()));
  client.call('echo');
  client.call('secret');
  const runs = [await rig.nextRun('guard'), await rig.nextRun('check')];
  for (const run of runs) await run.ignoreSignals('SIGTERM');
  const lines = client.lines.length;
  expect(await client.close()).toEqual({ status: 137, signal: null });
  for (const run of runs) await run.ended;
  expect(isAlive(pid)).toBe(false);
  expect(client.lines).toHaveLength(lines);
  expect(sessionLog()).toBe('start\nend\n');
});
