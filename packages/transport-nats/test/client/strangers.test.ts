import type { HookExecutionResponse } from '@tenterhook/protocol';
import { testWithNats } from '../../../../test/support/nats-server.js';
import { asked, channel, type NatsScene, withScene } from '../nats-scene.js';

const answer = { success: false as const, error: { code: 'unsupported_event' as const, message: 'the answer' } };
const forged = (correlationId: string) => ({
  type: 'HOOK_EXECUTION_RESPONSE',
  payload: { correlationId, success: false, error: { code: 'timeout', message: 'forged' } },
});

/** An agent whose request runs at a worker, a connection that sees all messages, and a function that answers the request. */
async function withRunningRequest(scene: NatsScene) {
  const agent = await scene.bus();
  const worker = await scene.bus();
  const stranger = await scene.raw();
  const replies = new Promise<string>((resolve) => {
    // A member of another queue group receives a copy of each request. Permissions must not allow this.
    stranger.subscribe('tenterhook.default.ask.>', { callback: (_error, { reply }) => resolve(reply as string) });
  });
  await stranger.flush();
  let decide = () => {};
  const running = new Promise<void>((resolve) => {
    worker.respond(channel, () => {
      resolve();
      return new Promise((settle) => {
        decide = () => settle(answer);
      });
    });
  });
  await worker.flush();
  const response = agent.request(channel, { ...asked, correlationId: 'mine' });
  await running;
  return { agent, worker, stranger, response, replies: await replies, decide: () => decide() };
}

testWithNats('messages that are malformed, of another schema or of another request change nothing', () =>
  withScene(async (scene) => {
    const { agent, worker, stranger, response, replies, decide } = await withRunningRequest(scene);
    const seen: unknown[] = [];
    for (const bus of [agent, worker]) {
      for (const type of ['HOOK_EXECUTION_RESPONSE', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_CANCEL'] as const) {
        bus.subscribe(type, ({ payload }) => seen.push(payload));
      }
      await bus.flush();
    }
    const own = replies.split('.').slice(0, -1).join('.');
    const texts = [
      '',
      '{',
      '\ufffd',
      '5',
      '[]',
      '{"type":"X"}',
      '{"type":"HOOK_EXECUTION_CANCEL","payload":{}}',
      JSON.stringify(forged('mine')),
    ];
    const subjects = [
      'tenterhook.default.log.response.-',
      'tenterhook.default.log.response-own.-',
      'tenterhook.default.log.progress.-',
      'tenterhook.default.log.request.-.x',
      `${own}.unknown.response`,
      `${own}.unknown`,
      `${replies}.progress`,
      `${replies}.other`,
      replies,
      own.replace('.reply.', '.cancel.').concat('.x'),
      'tenterhook.default.ask.-.BeforeTool',
    ];
    for (const subject of subjects) for (const text of texts) stranger.publish(subject, text);
    stranger.publish('tenterhook.default.log.response.-', Buffer.from([0xff, 0xfe]));
    // A success is not a failure that an agent may publish itself.
    stranger.publish(
      'tenterhook.default.log.response-own.-',
      JSON.stringify({ ...forged('other'), payload: { correlationId: 'other', success: true } }),
    );
    await stranger.flush();
    await Promise.all([agent.flush(), worker.flush()]);
    expect(seen).toEqual([]);
    decide();
    expect(await response).toEqual({ correlationId: 'mine', ...answer });
  }),
);

testWithNats('a worker answers only to the subjects of replies of its namespace', () =>
  withScene(async (scene) => {
    const worker = await scene.bus();
    let calls = 0;
    worker.respond(channel, () => {
      calls += 1;
      return answer;
    });
    await worker.flush();
    const stranger = await scene.raw();
    const received: string[] = [];
    stranger.subscribe('>', { callback: (_error, { subject, reply }) => void (reply === undefined && received.push(subject)) });
    const request = JSON.stringify({ type: channel, payload: { ...asked, correlationId: 'a' } });
    for (const reply of ['other', '_INBOX.x', 'tenterhook.other.reply.a.b.c', 'tenterhook.default.log.response.-', undefined]) {
      stranger.publish('tenterhook.default.ask.-.BeforeTool', request, reply === undefined ? {} : { reply });
    }
    await stranger.flush();
    await worker.flush();
    await stranger.flush();
    expect({ calls, received: received.filter((subject) => !subject.startsWith('tenterhook.default.ask')) }).toEqual({
      calls: 0,
      received: [],
    });
  }),
);

testWithNats('a request that is delivered twice is carried out once', () =>
  withScene(async (scene) => {
    const worker = await scene.bus();
    const calls: unknown[] = [];
    worker.respond(channel, ({ correlationId }) => {
      calls.push(correlationId);
      return answer;
    });
    await worker.flush();
    const stranger = await scene.raw();
    const subjects: string[] = [];
    stranger.subscribe('tenterhook.default.reply.>', {
      callback: (_error, { subject }) => void subjects.push(subject.split('.').at(-1) as string),
    });
    const reply = 'tenterhook.default.reply.a.s.1';
    const request = JSON.stringify({ type: channel, payload: { ...asked, correlationId: 'a' } });
    for (let time = 0; time < 3; time += 1) stranger.publish('tenterhook.default.ask.-.BeforeTool', request, { reply });
    await stranger.flush();
    await worker.flush();
    await stranger.flush();
    expect({ calls, subjects }).toEqual({ calls: ['a'], subjects: ['taken', 'response'] });
  }),
);

testWithNats('a request with the id of another request at its worker is refused, and the other one is answered', () =>
  withScene(async (scene) => {
    const { response, decide } = await withRunningRequest(scene);
    const other = await scene.bus();
    const refused = await other.request(channel, { ...asked, correlationId: 'mine' });
    expect([refused.error?.code, refused.error?.details]).toEqual(['invalid_request', { correlationId: 'mine' }]);
    decide();
    expect((await response).error?.message).toBe('the answer');
  }),
);

testWithNats('an answer that arrives twice, or has another id, settles its request once', () =>
  withScene(async (scene) => {
    const agent = await scene.bus();
    const responses: HookExecutionResponse[] = [];
    agent.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => responses.push(payload));
    const raw = await scene.raw();
    raw.subscribe('tenterhook.default.ask.>', {
      queue: 'workers',
      callback: (_error, message) => {
        const { payload } = message.json<{ payload: { correlationId: string } }>();
        raw.publish(`${message.reply}.taken`, JSON.stringify({ worker: 'w.s', token: 't' }));
        const id = payload.correlationId === 'other' ? 'not the id' : payload.correlationId;
        for (let time = 0; time < 2; time += 1) raw.publish(`${message.reply}.response`, JSON.stringify(forged(id)));
      },
    });
    await raw.flush();
    expect((await agent.request(channel, { ...asked, correlationId: 'a' })).error?.message).toBe('forged');
    const { correlationId, error } = await agent.request(channel, { ...asked, correlationId: 'other' });
    expect([correlationId, error?.code]).toEqual(['other', 'internal_error']);
    await raw.flush();
    await agent.flush();
    expect(responses.map((response) => response.correlationId)).toEqual(['a', 'other']);
  }),
);

testWithNats('a stranger that knows the session of an agent cannot direct replies of a worker to its request', () =>
  withScene(async (scene) => {
    const agent = await scene.bus();
    const worker = await scene.bus();
    worker.respond('HOOK_HANDLER_CALL', () => ({ success: true }), { route: 'guards' });
    await worker.flush();
    const raw = await scene.raw();
    const asking = new Promise<string>((resolve) => {
      raw.subscribe('tenterhook.default.ask.>', { queue: 'workers', callback: (_error, { reply }) => resolve(reply as string) });
    });
    await raw.flush();
    const response = agent.request(channel, { ...asked, correlationId: 'mine' });
    const replies = await asking;
    // The worker refuses these requests, with the subjects that the stranger guesses.
    const session = replies.split('.').slice(0, -1).join('.');
    for (let guess = 0; guess < 100; guess += 1) {
      raw.publish('tenterhook.default.call.-.guards', 'malformed', { reply: `${session}.${guess.toString(36)}` });
    }
    for (const one of [raw, worker, agent]) await one.flush();
    raw.publish(`${replies}.response`, JSON.stringify({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId: 'mine', ...answer } }));
    expect(await response).toMatchObject(answer);
  }),
);

testWithNats('on the subject of questions to engines only questions are accepted', () =>
  withScene(async (scene) => {
    const agent = await scene.bus();
    const seen: unknown[] = [];
    agent.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => seen.push(payload));
    await agent.flush();
    const stranger = await scene.raw();
    const hook = { id: 'guard', event_type: 'pre_tool_use' };
    const announcements = [
      { engineId: 'x', name: 'policy', hooks: [hook] },
      { engineId: 'x', name: 'policy', query: 'true', hooks: [hook] },
      { engineId: 'x', query: true, hooks: [] },
    ];
    for (const payload of announcements) {
      stranger.publish('tenterhook.default.log.announce-query.-', JSON.stringify({ type: 'HOOK_HANDLER_ANNOUNCE', payload }));
    }
    await stranger.flush();
    await agent.flush();
    expect(seen).toEqual([announcements[2]]);
  }),
);
