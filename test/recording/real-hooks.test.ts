import { readFileSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import type { HookExecutor } from '@tenterhook/protocol';
import {
  compareRecordings,
  explainRequests,
  formatDiff,
  formatMinimal,
  type Recording,
  readRecording,
  recordBus,
  replayRequests,
  replayResponses,
} from '@tenterhook/recording';
import { hookRig } from '@tenterhook/testing';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { type CreateHooksOptions, createHooks, type Hooks } from 'tenterhook';
import { inProject, runAgent, settings } from './recorded-agent.js';

/** Starts no process: every hook that it would have to run fails the test. */
const noProcess: HookExecutor = {
  kind: 'command',
  run: () => {
    throw new Error('a process was started');
  },
};

async function withHooksOf<Result>(project: string, use: (hooks: Hooks) => Promise<Result>, options: CreateHooksOptions = {}) {
  await using hooks = await createHooks({ projectDir: project, sessionId: 's1', settings, dialect: 'llxprt', ...options });
  return await use(hooks);
}

/** Runs the agent in a project of its own, and returns the recording and what the agent saw. */
function recordAgent(changed: Readonly<Record<string, string>> = {}) {
  return inProject(
    (project) =>
      withHooksOf(project, async (hooks) => {
        const file = join(project, 'run.bus.jsonl');
        const recorder = recordBus(hooks.bus, { file, roots: { project } });
        const seen = await runAgent(hooks, project);
        await recorder.close();
        return { recording: await readRecording(file), text: readFileSync(file, 'utf8'), seen: JSON.stringify(seen), project };
      }),
    changed,
  );
}

let first: Awaited<ReturnType<typeof recordAgent>>;
beforeAll(async () => {
  first = await recordAgent();
});

test('record-replay case 15: a recording replays in another directory, and names neither directory nor the home directory', () =>
  inProject(async (project) => {
    const { recording, text } = first;
    expect(recording.problems).toEqual([]);
    expect(text).not.toContain(first.project);
    expect(text).not.toContain(homedir());
    if (userInfo().username.length > 5) expect(text).not.toContain(userInfo().username);
    await withHooksOf(project, async (hooks) => {
      const result = await replayRequests(recording, hooks.bus, { roots: { project }, progress: true });
      expect(formatDiff(result)).toBe('8 requests: 8 same\n');
      expect(result).toMatchObject({ skipped: [], missing: [] });
      expect(JSON.stringify(result.recording)).not.toContain(project);
    });
  }));

test('record-replay case 19: two recordings of an agent are the same, also with the steps of each hook, and in the minimal form', async () => {
  const second = await recordAgent();
  expect(formatDiff(compareRecordings(first.recording, second.recording, { progress: true }))).toBe('8 requests: 8 same\n');
  expect(formatMinimal(second.recording)).toBe(formatMinimal(first.recording));
});

test('record-replay case 20: a guard that was changed from deny to silence is shown', () =>
  inProject(
    (project) =>
      withHooksOf(project, async (hooks) => {
        const result = await replayRequests(first.recording, hooks.bus, { roots: { project } });
        expect(formatDiff(result)).toContain(`
    verdict            deny → none
    decided by         – llxprt/settings/BeforeTool/stay-inside
    stay-inside        blocked → succeeded
    reason             – outside of ⟦project⟧
`);
        expect(result).toMatchObject({ same: 7, different: [{ eventName: 'BeforeTool', subject: 'write_file' }] });
      }),
    { 'stay-inside.sh': 'cat > /dev/null' },
  ));

test('record-replay case 26: a recorded cancel ends the same hook again', () =>
  inProject(async (project) => {
    const hook = { hooks: [{ name: 'slow', type: 'command', command: 'cat > /dev/null; sleep 600' }] };
    const slow: CreateHooksOptions = { settings: { hooks: { BeforeTool: [hook] } }, limits: { killGraceMs: 50 } };
    const recording: Recording = await withHooksOf(
      project,
      async (hooks) => {
        const recorder = recordBus(hooks.bus, { roots: { project } });
        const control = new AbortController();
        hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && control.abort());
        await hooks.fire('BeforeTool', { tool_name: 't', tool_input: {} }, { signal: control.signal });
        await recorder.close();
        return recorder.recording();
      },
      slow,
    );
    await withHooksOf(
      project,
      async (hooks) => {
        const result = await replayRequests(recording, hooks.bus, { roots: { project } });
        expect(formatDiff(result)).toBe('1 request: 1 same\n');
        expect(result.recording.exchanges[0]?.response?.payload).toMatchObject({
          error: { code: 'cancelled', details: { outcomes: [{ name: 'slow', status: 'cancelled' }] } },
        });
      },
      slow,
    );
  }));

test('record-replay case 27: comparing by `explain` starts no process', () =>
  inProject((project) =>
    withHooksOf(
      project,
      async (hooks) => {
        expect(explainRequests(first.recording, hooks, { roots: { project } })).toMatchObject({ requests: 8, same: 8, different: [] });
        await hooks.extensions.add({
          name: 'more',
          active: true,
          hooks: { AfterTool: [{ hooks: [{ name: 'new', type: 'command', command: 'x' }] }] },
        } as never);
        const { different } = explainRequests(first.recording, hooks, { roots: { project } });
        expect(different.map(({ eventName }) => eventName)).toEqual(['AfterTool', 'AfterTool', 'AfterTool']);
        expect(different[0]?.differences).toMatchObject([{ path: expect.stringMatching(/^hooks\.llxprt\/extension:more\//), now: 'runs' }]);
      },
      { advanced: { executors: [noProcess] } },
    ),
  ));

test('record-replay case 28: an agent whose hooks are a recording sees the same, and no process is started', () =>
  inProject(async (project) => {
    for (const recording of [first.recording, await rereadMinimal(project)]) {
      const bus = new MessageBus();
      const replay = replayResponses(bus, recording, { roots: { project } });
      const seen = JSON.stringify(await runAgent(replay.client, project));
      // Temporary files have other names in each run, so those of the recording are seen.
      const plain = (text: string, from: string) => text.replaceAll(from, 'PROJECT').replaceAll(/context-[\w*]+/g, 'context');
      expect(plain(seen, project)).toBe(plain(first.seen, first.project));
      await replay.close();
      await bus.close();
    }
  }));

async function rereadMinimal(project: string): Promise<Recording> {
  const file = join(project, 'minimal.bus.jsonl');
  writeFileSync(file, formatMinimal(first.recording));
  return readRecording(file);
}

test('record-replay case 30: a miss blocks the tool, also if the client allows what it cannot ask, and names the nearest request', () =>
  inProject(async (project) => {
    const bus = new MessageBus();
    const replay = replayResponses(bus, first.recording, { roots: { project } });
    const client = createHookClient(replay.client, { onUnavailable: 'allow' });
    const execute = () => {
      throw new Error('the tool ran');
    };
    const outcome = await executeToolWithHooks(client, { name: 'write_file', input: { path: join(project, 'elsewhere') }, execute });
    expect(outcome).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(
        /^BeforeTool write_file is not in the recording\. The nearest one is #2 BeforeTool \(line \d+\): input\.tool_input\.path is "⟦project⟧\/elsewhere", and was "⟦project⟧\/notes"\.$/,
      ),
    });
    await expect(replay.close()).rejects.toMatchObject({
      code: 'not_recorded',
      message: expect.stringContaining('1 request could not be answered'),
    });
  }));

test('requests are replayed and recorded over a socket as in one process', () =>
  inProject((project) =>
    withHooksOf(project, async (hooks) => {
      const path = join(project, 'bus');
      await using hub = await listenOnSocket({ path });
      await using service = new MessageBus({ transport: hub });
      service.respond(
        'HOOK_EXECUTION_REQUEST',
        (payload, { signal }) =>
          hooks.bus.request('HOOK_EXECUTION_REQUEST', { ...payload, correlationId: undefined } as never, { signal }) as never,
      );
      await using transport = await connectToSocket({ path });
      await using bus = new MessageBus({ transport });
      const result = await replayRequests(first.recording, bus, { roots: { project } });
      expect(formatDiff(result)).toBe('8 requests: 8 same\n');
    }),
  ));

test('a secret that a hook prints in two parts is masked in what is recorded', () =>
  inProject(async (project) => {
    await using rig = await hookRig();
    const own = { hooks: { BeforeTool: [{ hooks: [{ name: 'printer', command: rig.command() }] }] } };
    const text = await withHooksOf(
      project,
      async (hooks) => {
        const file = join(project, 'parts.bus.jsonl');
        const recorder = recordBus(hooks.bus, { file });
        const fired = hooks.fire('BeforeTool', { tool_name: 'deploy', tool_input: {} });
        const run = await rig.nextRun();
        for (const part of ['machine h login me pass', 'word hunter2hunt', 'er2hunter2\n']) await run.stdout(part);
        for (const part of ['-----BEGIN PRIVATE KEY-----\nMIIEhunter2', 'hunter2\n-----END PRIV', 'ATE KEY-----\nshown'])
          await run.stderr(part);
        await run.exit(0);
        await fired;
        await recorder.close();
        return readFileSync(file, 'utf8');
      },
      { settings: own },
    );
    expect(text).not.toContain('hunter2');
    expect(text).toContain('machine h login me password ***');
    expect(text).toContain('-----BEGIN PRIVATE KEY----- ***\\nshown');
  }));
