import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { EventDetails, PreviewAnswer } from '@tenterhook/inspector';
import { createHooks } from 'tenterhook';
import { withEnvironment } from '../support/environment.js';
import type { Places } from '../support/places.js';
import { until } from '../support/until.js';
import { acceptAll, type Discover, guard, withRepository } from '../trust/repository.js';
import { type PageClient, type StartedInspect, startInspect } from './page-client.js';

jest.setTimeout(300_000);

const settings = 'project/.claude/settings.json';
const userSettings = 'home/.claude/settings.json';
const call = { eventName: 'BeforeTool', input: { tool_name: 'run_shell_command', tool_input: { command: 'ls' } } };
/** What a hook does until a test lets it go on. */
const waiting = (places: Places) => `echo $$ > ${places.at('pid')}; while [ ! -e ${places.at('gate')} ]; do sleep 0.01; done`;

interface Scene {
  readonly places: Places;
  readonly page: PageClient;
  readonly inspector: StartedInspect;
  readonly discover: Discover;
  /** The types of the messages that the agent's service was sent. */
  readonly asked: readonly string[];
}

/** An agent with a hook of its own in a project without settings, and the inspector in a process of its own. */
async function inspecting(args: readonly string[], use: (scene: Scene) => Promise<void>): Promise<void> {
  const runtime = mkdtempSync(join(tmpdir(), 'run-'));
  await withRepository((places, discover) =>
    withEnvironment({ XDG_RUNTIME_DIR: runtime }, async () => {
      const own = { hooks: { BeforeTool: [{ hooks: [{ type: 'command' as const, command: `touch ${places.at('agent-ran')}` }] }] } };
      await using agent = await createHooks({ projectDir: places.project, settings: own, trust: 'all', inspect: true });
      const asked: string[] = [];
      const env = { HOME: places.home, XDG_STATE_HOME: places.at('state'), XDG_RUNTIME_DIR: runtime, RUN_BY: 'the inspector' };
      const inspector = await startInspect(args, { cwd: places.home, env });
      const page = await inspector.client();
      await page.json('/api/about');
      for (const type of ['HOOK_EXECUTION_REQUEST', 'HOOK_SERVICE_QUERY'] as const) agent.bus.subscribe(type, () => asked.push(type));
      try {
        await use({ places, page, inspector, discover, asked });
      } finally {
        inspector.cli.kill('SIGKILL');
        await inspector.cli.ended;
      }
    }),
  );
  rmSync(runtime, { recursive: true });
}

async function previewOf(page: PageClient, event: object = call): Promise<PreviewAnswer> {
  return (await (await page.post('/api/preview', { ...event, by: 'files' })).json()) as PreviewAnswer;
}

/** Asks as the page does: with the mark of the commands that it has shown. */
async function postRun(page: PageClient, event: object = call): Promise<Response> {
  return page.post('/api/run', { ...event, shown: (await previewOf(page, event)).shown });
}

async function run(page: PageClient): Promise<EventDetails> {
  const response = await postRun(page);
  expect(response.status).toBe(200);
  return (await response.json()) as EventDetails;
}

/** The process of a waiting hook. */
async function startedPid(places: Places): Promise<number> {
  await until('the hook runs', () => /^\d+\n$/.test(places.read('pid') ?? ''));
  return Number(places.read('pid'));
}

function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not yet waited for is in the table of processes, too.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The processes that a process has started and that run. */
function childrenOf(parent: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((pid) => {
    try {
      return new RegExp(`^PPid:\\t${parent}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
}

test('13. without --allow-run the route does not exist, and nothing runs', () =>
  inspecting([], async ({ places, page }) => {
    places.write(userSettings, guard(`touch ${places.at('ran')}`));
    const [unknown, response] = [await page.post('/api/unknown', call), await page.post('/api/run', call)];
    expect([response.status, await response.text()]).toEqual([404, '']);
    expect([unknown.status, await unknown.text()]).toEqual([404, '']);
    expect((await page.get('/api/run/1/hooks/0/stdout')).status).toBe(404);
    expect([(await page.json('/api/about')).mayRun, places.read('ran')]).toEqual([false, undefined]);
  }));

test('13. with --allow-run the hooks run in the inspector, from the files as they are now, and the service of the agent sees nothing', () =>
  inspecting(['--allow-run'], async ({ places, page, inspector, asked }) => {
    const secret = `gh${'p_'}hunter2hunter2hunter2`;
    places.write(userSettings, guard(`echo "run by $RUN_BY in $PWD"; echo ${secret} >&2; exit 2`));
    expect(await previewOf(page)).toMatchObject({
      by: 'files',
      hooks: [{ kind: 'command', command: expect.stringContaining('$RUN_BY'), cwd: places.project }],
    });
    const details = await run(page);
    expect(details).toMatchObject({
      row: { n: 1, event: 'BeforeTool', subject: 'run_shell_command', state: 'answered', verdict: 'deny', run: 1, all: 1 },
      verdict: { kind: 'deny', reason: expect.stringContaining('***') },
      hooks: [
        {
          status: 'blocked',
          exitCode: 2,
          stdin: { isReconstructed: false, text: expect.stringContaining('"command":"ls"') },
          stdout: { text: `run by the inspector in ${places.project}\n`, isWhole: true },
          stderr: { text: expect.stringContaining('***') },
        },
      ],
    });
    expect(JSON.stringify(details)).not.toContain('hunter2');
    expect((await page.json('/api/run/1/hooks/0/stdout?from=4')).text).toBe(`by the inspector in ${places.project}\n`);

    places.write(userSettings, guard('head -c 200000 /dev/zero | tr "\\0" x'));
    const next = await run(page);
    expect([next.row.n, next.verdict?.kind, next.hooks[0]?.stdout?.isWhole]).toEqual([2, 'none', false]);
    expect((await page.json('/api/run/2/hooks/0/stdout?from=65536')).text).toMatch(/^x+$/);
    expect((await page.get('/api/run/1/hooks/0/stdout')).status).toBe(404);

    expect([asked, places.read('agent-ran')]).toEqual([[], undefined]);
    expect((await page.json('/api/about')).mayRun).toBe(true);
    const followed = await page.follow();
    await followed.until('the list is there', ({ lines }) => lines.some(({ kind }) => kind === 'stats'));
    expect([...followed.rows.keys()]).toEqual([]);
    await followed.end();
    expect(inspector.cli.stderr()).toContain('warning: --allow-run: the page can start the hooks of the project');
  }));

test('13. if other commands would start than those that were shown, nothing runs', () =>
  inspecting(['--allow-run'], async ({ places, page }) => {
    const preview = () => previewOf(page);
    const secret = `gh${'p_'}hunter2hunter2hunter2`;
    places.write(userSettings, guard(`echo ${secret}1; touch ${places.at('ran')}`));
    const { shown, hooks } = await preview();
    // When they are masked, both commands are the same text.
    places.write(userSettings, guard(`echo ${secret}2; touch ${places.at('ran')}`));
    expect((await preview()).hooks).toEqual([{ ...hooks[0], stdin: expect.any(String) }]);
    for (const change of [() => {}, () => places.write(userSettings, '{}'), () => places.write(userSettings, '{')]) {
      change();
      const refused = await page.post('/api/run', { ...call, shown });
      expect([refused.status, await refused.json()]).toEqual([
        409,
        { error: { code: 'changed', message: expect.stringContaining('Press Run again') } },
      ]);
    }
    expect(places.read('ran')).toBeUndefined();
    places.write(userSettings, guard(`echo ${secret}2; touch ${places.at('ran')}`));
    expect((await page.post('/api/run', { ...call, shown: (await preview()).shown })).status).toBe(200);
    expect(places.read('ran')).toBe('');
  }));

test('13. without the mark of the commands that were shown, nothing runs', () =>
  inspecting(['--allow-run'], async ({ places, page }) => {
    places.write(userSettings, guard(`touch ${places.at('ran')}`));
    for (const shown of [undefined, null, 5, true, [(await previewOf(page)).shown]]) {
      const refused = await page.post('/api/run', { ...call, shown });
      expect([refused.status, await refused.json()]).toEqual([
        400,
        { error: { code: 'not_shown', message: expect.stringContaining('POST /api/preview') } },
      ]);
    }
    expect((await page.post('/api/run', { ...call, shown: '' })).status).toBe(409);
    expect(places.read('ran')).toBeUndefined();
  }));

test('13. hooks of a repository run only if the user has accepted them', () =>
  inspecting(['--allow-run'], async ({ places, page, discover }) => {
    places.write(settings, guard(`touch ${places.at('ran')}`));
    expect((await previewOf(page)).hooks).toEqual([]);
    const refused = await run(page);
    expect(refused).toMatchObject({ row: { run: 0, all: 1 }, hooks: [], notRun: [{ skipReason: 'untrusted' }] });
    expect(places.read('ran')).toBeUndefined();
    await discover(acceptAll);
    expect((await run(page)).row).toMatchObject({ run: 1, all: 1 });
    expect(places.read('ran')).toBe('');
  }));

test('13. a second run is answered with 409 until the first one has ended', () =>
  inspecting(['--allow-run'], async ({ places, page }) => {
    places.write(userSettings, guard(waiting(places)));
    const first = run(page);
    await startedPid(places);
    const second = await postRun(page);
    expect([second.status, await second.json()]).toEqual([
      409,
      { error: { code: 'busy', message: expect.stringContaining('Wait until it has ended') } },
    ]);
    writeFileSync(places.at('gate'), '');
    expect((await first).hooks).toMatchObject([{ status: 'succeeded' }]);
    expect((await run(page)).row.n).toBe(2);
  }));

test('13. a run ends with the request of its page, and the next one is carried out', () =>
  inspecting(['--allow-run'], async ({ places, page }) => {
    places.write(userSettings, guard(waiting(places)));
    const control = new AbortController();
    const origin = page.url.slice(0, -1);
    const headers = { Authorization: `Bearer ${page.token}`, 'Content-Type': 'application/json', Origin: origin };
    const body = JSON.stringify({ ...call, shown: (await previewOf(page)).shown });
    const left = fetch(`${origin}/api/run`, { method: 'POST', headers, body, signal: control.signal });
    const pid = await startedPid(places);
    control.abort();
    await expect(left).rejects.toThrow();
    await until('the hook has ended', () => !isAlive(pid));
    writeFileSync(places.at('gate'), '');
    await until('another event can be run', async () => (await postRun(page)).status === 200);
  }));

test('13. Ctrl-C stops what runs: the hook has ended when the inspector has', () =>
  inspecting(['--allow-run'], async ({ places, page, inspector }) => {
    places.write(userSettings, guard(waiting(places)));
    const left = postRun(page).catch(() => undefined);
    const pid = await startedPid(places);
    inspector.cli.kill('SIGINT');
    expect(await inspector.cli.ended).toMatchObject({ status: 0, signal: null });
    expect(isAlive(pid)).toBe(false);
    await left;
  }));

test.each([
  ['Ctrl-C', ['SIGINT']],
  // The second signal may come before the first one is handled. It ends the process at once.
  ['Ctrl-C twice at once', ['SIGINT', 'SIGINT']],
  ['Ctrl-C and the end of its terminal', ['SIGINT', 'SIGHUP']],
] as const)('42. %s ends the inspector with open streams and a hook that runs: no file, socket or child is left', (_title, signals) =>
  inspecting(['--allow-run'], async ({ places, page, inspector: { cli, file } }) => {
    places.write(userSettings, guard(waiting(places)));
    const streams = await Promise.all([page.follow(), page.follow(), page.follow()]);
    await Promise.all(streams.map((stream) => stream.until('the stream has begun', ({ lines }) => lines.length > 0)));
    const left = postRun(page).catch(() => undefined);
    const hook = await startedPid(places);
    const children = childrenOf(cli.pid);
    expect(children).not.toEqual([]);
    for (const signal of signals) cli.kill(signal);
    expect([0, 129, 130]).toContain((await cli.ended).status);
    await Promise.all(streams.map((stream) => stream.until('the stream has ended', ({ hasEnded }) => hasEnded)));
    await left;
    expect([hook, ...children].filter(isAlive)).toEqual([]);
    await expect(page.get('/')).rejects.toThrow();
    const files = readdirSync(tmpdir()).filter((name) => name.startsWith('tenterhook-') && name.includes(`-${cli.pid}-`));
    expect([files, existsSync(file), cli.privateDirectories()]).toEqual([[], false, []]);
  }),
);

test('13. the route has the checks of the other ones, and an event that cannot be run has a sentence', () =>
  inspecting(['--allow-run'], async ({ places, page }) => {
    places.write(userSettings, guard(`touch ${places.at('ran')}`));
    const origin = page.url.slice(0, -1);
    const right = { Authorization: `Bearer ${page.token}`, 'Content-Type': 'application/json', Origin: origin };
    const { Authorization: _token, ...withoutToken } = right;
    const { Origin: _origin, ...withoutOrigin } = right;
    const attempts: (readonly [Record<string, string>, string, number])[] = [
      [withoutToken, JSON.stringify(call), 401],
      [withoutOrigin, JSON.stringify(call), 403],
      [{ ...right, Origin: 'http://evil.test' }, JSON.stringify(call), 403],
      [{ ...right, 'Content-Type': 'text/plain' }, JSON.stringify(call), 415],
      [right, JSON.stringify({ ...call, more: 'x'.repeat(1024 * 1024) }), 413],
      [right, '[]', 400],
      [right, '{"eventName":"BeforeTool"}', 400],
      [right, '{"eventName":"BeforTool","input":{}}', 400],
      [right, JSON.stringify(call), 400],
    ];
    for (const [headers, body, status] of attempts) {
      const response = await fetch(`${origin}/api/run`, { method: 'POST', headers, body });
      expect([headers, body.slice(0, 80), response.status]).toEqual([headers, body.slice(0, 80), status]);
    }
    expect((await page.get('/api/run')).status).toBe(405);
    expect(places.read('ran')).toBeUndefined();
    const invalid = await (await postRun(page, { eventName: 'BeforeTool', input: { tool_name: 5 } })).json();
    expect(invalid).toMatchObject({ row: { state: 'failed', error: 'validation_failed', run: 0 }, hooks: [] });
    const { shown } = await previewOf(page);
    rmSync(places.project, { recursive: true });
    const gone = await page.post('/api/run', { ...call, shown });
    expect([gone.status, await gone.json()]).toEqual([
      409,
      { error: { code: 'cannot_run', message: expect.stringContaining(places.project) } },
    ]);
  }));
