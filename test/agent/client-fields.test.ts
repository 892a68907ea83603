import { createHookClient, executeToolWithHooks, type HookClientOptions, startSessionWithHooks } from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import { createHooks, type Hooks } from 'tenterhook';
import { recordingTool, withCommands } from '../support/agent.js';
import { settingsOf } from '../support/fire-hooks.js';

const call = { name: 'run_shell', input: { command: 'ls' } };
const seen = (read: (file: string) => string | undefined) => JSON.parse(read('seen.json') ?? '{}');

test('fields of a client stand in every event beside its own, which win', async () => {
  const fields = { agent: 'plan', tool_name: 'another', source: 'resume' };
  await withCommands(
    { BeforeTool: ['cat > seen.json'], SessionStart: ['cat > seen.json'] },
    async ({ client, read }) => {
      await executeToolWithHooks(client, { ...call, ...recordingTool() });
      expect(seen(read)).toMatchObject({ agent: 'plan', tool_name: 'run_shell', tool_input: { command: 'ls' } });
      await startSessionWithHooks(client, 'startup');
      expect(seen(read)).toMatchObject({ agent: 'plan', source: 'startup' });
      await client.fire('SessionStart', { source: 'clear', agent: undefined });
      expect(seen(read)).toMatchObject({ agent: 'plan', source: 'clear' });
    },
    { fields },
  );
});

test('a function is asked at each event, and a field of the system is not overridden', async () => {
  let agent = 'plan';
  await withCommands(
    { BeforeTool: ['cat > seen.json'] },
    async ({ client, read }) => {
      await executeToolWithHooks(client, { ...call, ...recordingTool() });
      expect(seen(read)).toMatchObject({ agent: 'plan', session_id: 's1', hook_event_name: 'BeforeTool' });
      agent = 'code';
      await executeToolWithHooks(client, { ...call, ...recordingTool() });
      expect(seen(read)).toMatchObject({ agent: 'code' });
    },
    { fields: () => ({ agent, session_id: 'mine', hook_event_name: 'X' }) },
  );
});

test('several chats are a client each over one system, each with its session and its tools', async () => {
  const hooks: Hooks = await createHooks({ settings: settingsOf('BeforeTool', ['cat']) });
  const [one, two] = ['chat-1', 'chat-2'].map((session_id) => createHookClient(hooks, { fields: { session_id } }));
  if (one === undefined || two === undefined) throw new Error('there are two');
  const shown = async (client: typeof one, name: string) => {
    const { before } = await executeToolWithHooks(client, { ...call, name, ...recordingTool() });
    const { session_id, recent_tools } = JSON.parse(before?.outcomes[0]?.stdout ?? '{}');
    return [session_id, recent_tools];
  };
  expect(await shown(one, 'a')).toEqual(['chat-1', []]);
  expect(await shown(two, 'b')).toEqual(['chat-2', []]);
  expect(await shown(one, 'c')).toEqual(['chat-1', ['a']]);
  await hooks.dispose();
});

test.each<[string, () => never]>([
  [
    'throws',
    () => {
      throw new Error('no mode');
    },
  ],
  ['gives no object', () => 'plan' as never],
  ['gives a list', () => [] as never],
  ['gives a promise', () => Promise.resolve({}) as never],
  ['gives what is no JSON', () => ({ agent: 5n }) as never],
])('a function that %s does not open a guard: the tool does not run, whatever onUnavailable says', async (_, fields) => {
  const tool = recordingTool();
  await withCommands(
    { BeforeTool: ['exit 2'] },
    async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, ...tool });
      expect(outcome).toMatchObject({ status: 'blocked', before: { success: false } });
    },
    { fields, onUnavailable: 'allow' },
  );
  expect(tool.calls).toEqual([]);
});

test('over a bus alone they are sent along', async () => {
  const bus = new MessageBus();
  const inputs: unknown[] = [];
  bus.respond('HOOK_EXECUTION_REQUEST', ({ input }) => {
    inputs.push(input);
    return { success: false, error: { code: 'internal_error', message: 'not today' } };
  });
  await createHookClient(bus, { fields: { agent: 'plan' } }).fire('HostStart', {});
  expect(inputs).toEqual([{ agent: 'plan' }]);
  await bus.close();
});

test('an input that is none stays none, and is refused', async () => {
  await withCommands(
    { HostStart: ['true'] },
    async ({ client }) => {
      for (const input of [null, [], 'x']) {
        const { success, errors } = await client.fire('HostStart', input as never);
        expect([success, errors[0]?.code]).toEqual([false, 'invalid_request']);
      }
    },
    { fields: { agent: 'plan' } },
  );
});

test.each([{ fields: 'plan' }, { fields: null }, { fields: [] }, { fields: 7 }])('the options %j are refused', async (options) => {
  const bus = new MessageBus();
  const expected = /createHookClient: fields must be an object, or a function that gives one, not /;
  expect(() => createHookClient(bus, options as unknown as HookClientOptions)).toThrow(expected);
  expect(() => createHookClient(bus, { field: {} } as HookClientOptions)).toThrow('it has onUnavailable, timeoutMs and fields');
  await bus.close();
});
