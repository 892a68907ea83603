import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookExecutionResponse } from '@tenterhook/protocol';
import { testWithNats } from '../../../../test/support/nats-server.js';
import type { NatsTransportError } from '../../src/index.js';
import { asked, channel, type NatsScene, withScene } from '../nats-scene.js';

/** The configuration on the page, so that what the page says about it is true. */
const page = readFileSync(join(import.meta.dirname, '../../../../docs/distributed.md'), 'utf8');
const configuration = /^```text\n(accounts \{\n[\s\S]*?)^```$/m.exec(page)?.[1] as string;

const as = (user: string) => ({ user, password: `${user}-password`, namespace: 'acme', client: user, project: 'web' });
const login = (user: string) => ({ user, pass: `${user}-password`, reconnect: false, inboxPrefix: `tenterhook.acme.reply.${user}` });
const answer = { success: false as const, error: { code: 'unsupported_event' as const, message: 'the answer' } };

/** A worker that answers when the returned function is called, and agent7, whose request it runs. */
async function withRunningRequest(scene: NatsScene) {
  const { project: _project, ...worker1 } = as('worker1');
  const worker = await scene.bus(worker1);
  let decide = () => {};
  let inputs: unknown[] = [];
  const running = new Promise<void>((resolve) => {
    worker.respond(channel, ({ input }) => {
      inputs = [...inputs, input];
      resolve();
      return new Promise((settle) => {
        decide = () => settle(answer);
      });
    });
  });
  await worker.flush();
  const agent = await scene.bus(as('agent7'));
  const response = agent.request(channel, { ...asked, correlationId: 'mine' });
  await running;
  return { worker, agent, response, decide: () => decide(), inputs: () => inputs };
}

/** Connects without a transport, tries something, and returns what the server refused. */
async function refusals(
  scene: NatsScene,
  user: string,
  attempt: (connection: Awaited<ReturnType<NatsScene['raw']>>) => void,
): Promise<string[]> {
  const connection = await scene.raw(login(user));
  const refused: string[] = [];
  const status = connection.status();
  const followed = (async () => {
    for await (const event of status) if (event.type === 'error') refused.push(event.error.message);
  })();
  attempt(connection);
  await connection.flush();
  await connection.close();
  await followed;
  return refused;
}

testWithNats('agents ask, workers answer and auditors read, each with its own permissions', () =>
  withScene(async (scene) => {
    const problems: NatsTransportError[] = [];
    const { agent, response, decide } = await withRunningRequest(scene);
    const auditor = await scene.bus({ ...as('auditor'), onProblem: (problem) => problems.push(problem) });
    const read = new Promise<HookExecutionResponse>((resolve) =>
      auditor.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => resolve(payload)),
    );
    await auditor.flush();
    decide();
    expect(await response).toEqual({ correlationId: 'mine', ...answer });
    expect(await read).toEqual({ correlationId: 'mine', ...answer });
    expect(problems).toEqual([]);
    // The auditor may not ask.
    expect((await auditor.request(channel, asked)).error?.message).toContain(
      'do not permit it to publish to "tenterhook.acme.ask.web.BeforeTool"',
    );
    expect(await agent.flush()).toBe(true);
  }, configuration),
);

testWithNats('a cancel of the agent reaches its worker, and progress reaches the agent', () =>
  withScene(async (scene) => {
    const worker = await scene.bus(as('worker1'));
    const aborted = new Promise((resolve) => {
      worker.respond(channel, (_payload, { signal, progress }) => {
        progress({ kind: 'planned', eventName: 'BeforeTool', elapsedMs: 0, stages: [], skipped: 0 });
        return new Promise((settle) => {
          signal.addEventListener('abort', () => {
            resolve(signal.reason);
            settle(answer);
          });
        });
      });
    });
    await worker.flush();
    const agent = await scene.bus(as('agent7'));
    const kinds: string[] = [];
    for await (const { type } of agent.requestStream(channel, asked, { timeoutMs: 100 })) kinds.push(type);
    expect(kinds).toEqual(['HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE']);
    expect(await aborted).toBe('timeout');
  }, configuration),
);

testWithNats('an agent that tries to answer gets nowhere', () =>
  withScene(async (scene) => {
    const { response, decide } = await withRunningRequest(scene);
    const forged = JSON.stringify({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId: 'mine', success: true } });
    const subjects = ['tenterhook.acme.reply.agent7.s.1.response', 'tenterhook.acme.log.response.web', 'tenterhook.acme.log.progress.web'];
    const refused = await refusals(scene, 'agent8', (connection) => {
      for (const subject of subjects) connection.publish(subject, forged);
      // It may publish failures of its own requests, which settle nothing at another agent.
      connection.publish('tenterhook.acme.log.response-own.web', forged);
    });
    expect(refused.map((message) => /"([^"]+)"/.exec(message)?.[1])).toEqual(subjects);
    decide();
    expect(await response).toEqual({ correlationId: 'mine', ...answer });
  }, configuration),
);

testWithNats('an agent that tries to read requests, or replies of another agent, gets nowhere', () =>
  withScene(async (scene) => {
    await withRunningRequest(scene);
    const subjects = ['tenterhook.acme.ask.>', 'tenterhook.acme.reply.>', 'tenterhook.acme.reply.agent7.>', 'tenterhook.acme.log.>', '>'];
    const refused = await refusals(scene, 'agent8', (connection) => {
      for (const subject of subjects) connection.subscribe(subject, { callback: () => {} });
    });
    expect(refused.map((message) => /"([^"]+)"/.exec(message)?.[1])).toEqual(subjects);
  }, configuration),
);

testWithNats('an agent that uses the correlation id of another request gets an error, and the other request its answer', () =>
  withScene(async (scene) => {
    const { response, decide, inputs } = await withRunningRequest(scene);
    const other = await scene.bus(as('agent8'));
    const { correlationId, error } = await other.request(channel, {
      eventName: 'BeforeTool',
      input: { tool_name: 'forged', tool_input: {} } as never,
      correlationId: 'mine',
    });
    expect([correlationId === 'mine', error?.code]).toEqual([false, 'invalid_request']);
    // A cancel of a request of another agent has no effect either.
    other.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'mine' } });
    await other.flush();
    decide();
    expect(await response).toEqual({ correlationId: 'mine', ...answer });
    expect(inputs()).toEqual([{}]);
  }, configuration),
);

testWithNats('an agent of one account reaches no worker of another account, and reads nothing of it', () =>
  withScene(async (scene) => {
    const { response, decide } = await withRunningRequest(scene);
    const visitor = await scene.bus(as('visitor'));
    const seen: unknown[] = [];
    for (const type of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_RESPONSE'] as const)
      visitor.subscribe(type, ({ payload }) => seen.push(payload.correlationId));
    await visitor.flush();
    const own = await visitor.request(channel, { ...asked, correlationId: 'own' });
    expect(own.error?.code).toBe('no_responders');
    decide();
    await response;
    await visitor.flush();
    expect(new Set(seen)).toEqual(new Set(['own']));
  }, configuration),
);

testWithNats('an agent of one project may not ask for another, and gets an error at once', () =>
  withScene(async (scene) => {
    const problems: NatsTransportError[] = [];
    const agent = await scene.bus({
      ...as('agent7'),
      project: 'payroll',
      onProblem: (problem) => problems.push(problem),
      confirmMs: 60_000,
    });
    const { error } = await agent.request(channel, asked);
    expect(error?.code).toBe('internal_error');
    expect(error?.message).toContain('do not permit it to publish to "tenterhook.acme.ask.payroll.BeforeTool"');
    expect(problems.map(({ code }) => code)).toContain('not_allowed');
  }, configuration),
);

testWithNats('a client that may not receive replies cannot connect, and one that may not watch is notified', () =>
  withScene(async (scene) => {
    await expect(scene.transport({ ...as('agent7'), client: 'agent8' })).rejects.toMatchObject({ code: 'not_allowed' });
    const problem = new Promise<NatsTransportError>((resolve) => {
      void scene.bus({ ...as('agent7'), onProblem: resolve }).then((agent) => agent.subscribe('HOOK_EXECUTION_REQUEST', () => {}));
    });
    expect((await problem).message).toContain('subscribe to "tenterhook.acme.log.request.>"');
  }, configuration),
);
