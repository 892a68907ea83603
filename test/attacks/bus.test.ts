import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { MemoryTransport, MessageBus } from '@tenterhook/bus';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { recordingTool } from '../support/agent.js';
import { ownProcesses, settingsOf, withHooks } from '../support/fire-hooks.js';
import { resultWith } from '../support/results.js';
import { attack } from './attack.js';

const channel = 'HOOK_EXECUTION_REQUEST';
const call = { name: 'run_shell', input: { command: 'rm -rf /' } };
const allowed: AggregatedHookResult = resultWith({
  success: true,
  verdict: { kind: 'allow', stop: false, by: ['nobody'], stoppedBy: [] },
});

attack(
  {
    id: 'forged-answer',
    attacker: 'a program that watches the bus of the agent',
    attempt: 'publish an answer with the id of a request that the guard still looks at',
    result: 'the answer is not published: the responder that took the request settles it',
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
    attempt: 'publish an answer when the request is seen, before the responder has it, and while the responder refuses for a limit',
    result: 'the answer settles nothing',
  },
  async () => {
    await using bus = new MessageBus({ cancelGraceMs: 10 });
    bus.respond(channel, () => new Promise(() => {}), { maxInFlight: 1 });
    void bus.request(channel, { eventName: 'BeforeTool', input: {} });
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
    attempt: 'change the object of a request, before the guard reads it and after',
    result: 'watchers receive a frozen copy: the guard reads what the tool gets',
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
    attempt: 'cancel a request of the agent',
    result: 'the cancel is refused and logged: a cancel counts from the bus that made the request',
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
    const pending = asking.request(channel, { correlationId: 'a', eventName: 'BeforeTool', input: {} });
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
