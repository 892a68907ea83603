import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { MemoryTransport, MessageBus } from '@tenterhook/bus';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { connectToSocket, listenOnSocket, type SocketTransport } from '@tenterhook/transport-socket';
import { recordingTool } from '../support/agent.js';
import { ownProcesses, settingsOf, withHooks } from '../support/fire-hooks.js';
import { resultWith } from '../support/results.js';
import { attack } from './attack.js';

const channel = 'HOOK_EXECUTION_REQUEST';
const call = { name: 'run_shell', input: { command: 'rm -rf /' } };
const allowed: AggregatedHookResult = resultWith({
  success: true,
  verdict: { kind: 'allow', stop: false, by: ['no-hook'], stoppedBy: [] },
});

const denied: AggregatedHookResult = resultWith({
  verdict: { kind: 'deny', stop: false, reason: 'not that', by: ['guard'], stoppedBy: [] },
});

attack(
  {
    id: 'forged-answer',
    attacker: 'a program that watches the bus of the agent',
    attempt: 'publishes an answer with the id of a request while the guard still runs',
    result: 'the answer is not published, because only the responder of a request can answer it',
  },
  async () => {
    await withHooks({ settings: settingsOf('BeforeTool', [`echo 'not that' >&2; exit 2`]), ...ownProcesses }, async ({ hooks }) => {
      const tool = recordingTool();
      const published: boolean[] = [];
      const responses: unknown[] = [];
      hooks.onResult(({ output }) => responses.push(output?.verdict.kind));
      hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload: { correlationId } }) => {
        published.push(hooks.bus.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId, success: true, output: allowed } }));
      });
      const outcome = await hooks.agent().tool({ ...call, ...tool });
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'not that' });
      expect(published[0]).toBe(false);
      expect(responses[0]).toBe('deny');
      expect(tool.calls).toEqual([]);
    });
  },
);

attack(
  {
    id: 'forged-answer-before-responder',
    attacker: 'a program that watches the bus of the agent',
    attempt: 'publishes an answer before the responder has the request, or while the responder refuses it because of a limit',
    result: 'the answer has no effect',
  },
  async () => {
    await using bus = new MessageBus({ cancelGraceMs: 10 });
    bus.respond(channel, () => new Promise(() => {}), { maxInFlight: 1 });
    void bus.request(channel, { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
    bus.subscribe(channel, ({ payload }) => {
      const { correlationId = '' } = payload;
      bus.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId, success: true, output: allowed } });
    });
    const tool = recordingTool();
    const client = createHookClient(bus, { timeoutMs: 150 });
    expect(await executeToolWithHooks(client, { ...call, ...tool })).toMatchObject({ status: 'blocked', retryAfterMs: 1000 });
    expect(tool.calls).toEqual([]);
  },
);

attack(
  {
    id: 'request-changed-by-watcher',
    attacker: 'a program that watches the bus of the agent',
    attempt: 'changes the object of a request, before the guard reads it and after',
    result: 'subscribers receive a frozen copy: the guard reads what the tool receives',
  },
  async () => {
    const guard = `grep -q 'rm -rf' && { echo 'not that' >&2; exit 2; }; true`;
    await withHooks({ settings: settingsOf('BeforeTool', [guard]), ...ownProcesses }, async ({ hooks }) => {
      const problems: unknown[] = [];
      const change = (payload: unknown, command: string) => {
        try {
          (payload as { input: { tool_input: Record<string, unknown> } }).input.tool_input['command'] = command;
        } catch (error) {
          problems.push((error as Error).constructor.name);
        }
      };
      const seen: unknown[] = [];
      hooks.bus.subscribe(channel, ({ payload }) => {
        seen.push(payload);
        change(payload, 'ls');
      });
      hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', () => change(seen.at(-1), 'rm -rf /'));
      const tool = recordingTool();
      expect(await hooks.agent().tool({ ...call, ...tool })).toMatchObject({ status: 'blocked', reason: 'not that' });
      await hooks.agent().tool({ ...call, input: { command: 'ls' }, ...tool });
      expect(tool.calls).toEqual([{ command: 'ls' }]);
      expect(new Set(problems)).toEqual(new Set(['TypeError']));
    });
  },
);

attack(
  {
    id: 'cancel-from-another-bus',
    attacker: 'another bus on the transport of the agent',
    attempt: 'cancels a request of the agent',
    result: 'the cancel is refused and logged, because only the bus that sent a request can cancel it',
  },
  async () => {
    const transport = new MemoryTransport();
    await using asking = new MessageBus({ transport });
    await using other = new MessageBus({ transport });
    const aborted: unknown[] = [];
    let finish = () => {};
    other.respond(channel, (_payload, { signal }) => {
      signal.addEventListener('abort', () => aborted.push(signal.reason));
      return new Promise((resolve) => {
        finish = () => resolve({ success: true, output: allowed });
      });
    });
    const pending = asking.request(channel, { correlationId: 'a', eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
    asking.publish({ type: channel, payload: { correlationId: 'b', eventName: 'BeforeTool', input: {} } });
    for (const correlationId of ['a', 'b']) {
      expect(other.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } })).toBe(false);
    }
    expect(aborted).toEqual([]);
    expect(asking.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'b', reason: 'mine' } })).toBe(true);
    expect(aborted).toEqual(['mine']);
    finish();
    asking.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a', reason: 'mine too' } });
    expect(aborted).toEqual(['mine', 'mine too']);
    void pending;
  },
);

describe('over sockets', () => {
  let hub: SocketTransport;
  let directory: string;
  const ends: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'th-bus-'));
    hub = keep(await listenOnSocket({ path: join(directory, 'bus') }));
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end.close();
    rmSync(directory, { recursive: true });
  });

  function keep<End extends { close(): Promise<void> }>(end: End): End {
    ends.push(end);
    return end;
  }
  const connect = async () => keep(await connectToSocket({ path: join(directory, 'bus') }));
  const busOn = (transport: SocketTransport) => keep(new MessageBus({ transport, cancelGraceMs: 10 }));
  /** Waits until everything that the other ends have sent has arrived at the hub: each end sends a message and receives it back. */
  const settle = (ends: readonly SocketTransport[]) =>
    Promise.all(ends.map((end) => end.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: 'e', hooks: [] } })));

  /** A service that works on a request until the test lets it deny. */
  function service(bus: MessageBus) {
    const aborted: unknown[] = [];
    let deny = () => {};
    const taken = new Promise<string>((tell) => {
      bus.respond(channel, ({ correlationId = '' }, { signal }) => {
        signal.addEventListener('abort', () => aborted.push(signal.reason));
        return new Promise((resolve) => {
          deny = () => resolve({ success: true, output: denied });
          tell(correlationId);
        });
      });
    });
    return { aborted, taken, deny: () => deny() };
  }

  /**
   * A third end publishes an answer and a cancel for a request on which a service works. The hub does so, too, if it is not the service.
   */
  async function forge(answering: SocketTransport): Promise<void> {
    const [asking, stranger] = [await connect(), await connect()];
    const { aborted, taken, deny } = service(busOn(answering));
    await settle([answering]);
    const seen: unknown[] = [];
    busOn(asking).subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => seen.push(payload.output?.verdict.kind));
    const tool = recordingTool();
    const pending = executeToolWithHooks(createHookClient(busOn(asking)), { ...call, ...tool });
    const correlationId = await taken;
    const forged = { type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId, success: true, output: allowed } } as const;
    const cancel = { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } } as const;
    for (const end of answering === hub ? [stranger] : [stranger, hub]) {
      await expect(end.publish(forged)).rejects.toMatchObject({ code: 'refused' });
      await expect(end.publish(cancel)).rejects.toMatchObject({ code: 'refused' });
    }
    await settle([asking, stranger]);
    expect(aborted).toEqual([]);
    deny();
    expect(await pending).toMatchObject({ status: 'blocked', reason: 'not that' });
    expect(seen[0]).toBe('deny');
    expect(tool.calls).toEqual([]);
  }

  attack(
    {
      id: 'forged-answer-over-socket',
      attacker: 'a process on the socket of the agent',
      attempt: 'answers and cancels a request while a service in a third process handles it',
      result: 'both messages are refused and delivered to no process. The answer of the service counts',
    },
    async () => forge(await connect()),
  );

  attack(
    {
      id: 'forged-answer-to-client',
      attacker: 'a process on the socket of the agent',
      attempt: 'answers and cancels a request while a service in the process of the hub handles it',
      result: 'both messages are refused and delivered to no process. The answer of the service counts',
    },
    () => forge(hub),
  );

  attack(
    {
      id: 'forged-answer-beside-service',
      attacker: 'a program in the process of the service that may only watch its bus',
      attempt: 'publishes an answer as soon as it sees the request',
      result: 'the answer is refused, because it is not from the responder',
    },
    async () => {
      const asking = await connect();
      const bus = busOn(hub);
      const { taken, deny } = service(bus);
      bus.subscribe(channel, ({ payload: { correlationId = '' } }) => {
        bus.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId, success: true, output: allowed } });
      });
      const tool = recordingTool();
      const pending = executeToolWithHooks(createHookClient(busOn(asking)), { ...call, ...tool });
      await taken;
      await settle([asking]);
      deny();
      expect(await pending).toMatchObject({ status: 'blocked', reason: 'not that' });
      expect(tool.calls).toEqual([]);
    },
  );

  test('the end that made a request cancels it', async () => {
    const [asking, answering] = [await connect(), await connect()];
    const { aborted, taken, deny } = service(busOn(answering));
    await settle([answering]);
    const pending = busOn(asking).request(channel, { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
    const correlationId = await taken;
    await asking.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: 'mine' } });
    await settle([answering]);
    expect(aborted).toEqual(['mine']);
    deny();
    expect((await pending).output?.verdict.kind).toBe('deny');
  });
});

attack(
  {
    id: 'answer-breaks-caller',
    attacker: 'a program that serves the requests of the agent',
    attempt: 'answers with a merged output that is not an object, so that the call of the agent rejects and the agent ends',
    result: 'the output is dropped. The promise resolves, and the verdict counts',
  },
  async () => {
    for (const finalOutput of [null, 'text', 5, []]) {
      for (const [result, status] of [
        [denied, 'blocked'],
        [allowed, 'executed'],
      ] as const) {
        await using bus = new MessageBus();
        const output = { ...result, finalOutput } as never;
        bus.respond(channel, ({ eventName }) => ({ success: true, output: eventName === 'BeforeTool' ? output : allowed }));
        const client = createHookClient(bus);
        const outcome = await executeToolWithHooks(client, { ...call, ...recordingTool() });
        expect([finalOutput, outcome.status]).toEqual([finalOutput, status]);
        const fired = await client.fire('BeforeTool', { tool_name: 'ls', tool_input: {} });
        expect([fired.verdict.kind, fired.finalOutput]).toEqual([result.verdict.kind, undefined]);
      }
    }
  },
);
