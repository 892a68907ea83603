import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Inspector, startInspector } from '@tenterhook/inspector';
import { root } from '../support/sources.js';
import { createPlaces, type Places, settings } from './agent-process.js';
import { PageClient } from './page-client.js';

let places: Places;
let agent: ChildProcess | undefined;
let inspector: Inspector | undefined;
beforeEach(() => {
  places = createPlaces();
});
afterEach(async () => {
  await inspector?.close();
  if (agent !== undefined && agent.exitCode === null) {
    agent.kill('SIGKILL');
    await once(agent, 'exit');
  }
  places.remove();
});

/** The packages of an agent's process. */
const packages = readdirSync(join(root, 'packages')).filter((name) => !['inspector', 'migrate', 'relay'].includes(name));

/** Copies what was built, as if it were from before there were queries: no file of it has the name of their channel. */
function installOlder(): void {
  for (const name of packages) {
    const from = join(root, 'packages', name);
    const { name: full } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { name: string };
    const to = join(places.cwd, 'node_modules', full);
    mkdirSync(to, { recursive: true });
    cpSync(join(from, 'package.json'), join(to, 'package.json'));
    cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true });
    for (const entry of readdirSync(join(to, 'dist'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.[cm]?js$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const text = readFileSync(file, 'utf8');
      if (text.includes('HOOK_SERVICE_QUERY')) writeFileSync(file, text.replaceAll('HOOK_SERVICE_QUERY', 'HOOK_SERVICE_OTHER'));
    }
  }
}

const program = `
import { MessageBus } from '@tenterhook/bus';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks } from 'tenterhook';
const bus = new MessageBus({ transport: await listenOnSocket({ path: process.argv[2] }) });
const hooks = await createHooks({ settings: ${JSON.stringify(settings)}, sessionId: 's1', trust: 'all', bus });
process.on('message', async (path) => {
  const { verdict } = await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path } });
  process.send(verdict.kind);
});
process.send('ready');`;

test('21. of an agent that does not know queries, events are shown, and the page says what cannot be asked', async () => {
  installOlder();
  writeFileSync(join(places.cwd, 'older.mjs'), program);
  const socket = join(places.env.XDG_RUNTIME_DIR, 'bus');
  agent = fork(join(places.cwd, 'older.mjs'), [socket], { cwd: places.cwd, execArgv: [], env: { ...process.env, ...places.env } });
  expect(await once(agent, 'message')).toEqual(['ready', undefined]);
  inspector = await startInspector({ agent: { socket, name: 'older', version: '0.0.1' } });
  const page = PageClient.of(inspector);
  const followed = await page.follow();
  const fire = async (path: string) => {
    agent?.send(path);
    expect((await once(agent as ChildProcess, 'message'))[0]).toBe('deny');
  };
  await fire('a.txt');
  await followed.until('the row is answered', ({ rows }) => rows.get(0)?.state === 'answered');
  expect(followed.rows.get(0)).toMatchObject({ event: 'BeforeTool', subject: 'write_file', verdict: 'deny' });
  expect((await page.json('/api/about')).source).toMatchObject({
    canBeAsked: false,
    version: '0.0.1',
    notes: [expect.stringContaining('The agent cannot be asked: it is an earlier version')],
  });
  const details = await page.details(0);
  expect(details.hooks.map(({ name, status, stdin }) => [name, status, stdin])).toEqual([['guard', 'blocked', undefined]]);
  expect(details.notRun).toMatchObject([{ name: 'reader', sentence: 'The matcher does not match this event.' }]);
  const refused = await page.post('/api/explain', { eventName: 'BeforeTool', input: {} });
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { error: { code: 'cannot_be_asked', message: expect.stringContaining('may be an earlier version') } },
  ]);
  // The connection has survived the questions.
  await fire('b.txt');
  await followed.until('the second row is answered', ({ rows }) => rows.get(1)?.state === 'answered');
  expect(followed.lines.filter(({ kind }) => kind === 'gap')).toEqual([]);
}, 300_000);
