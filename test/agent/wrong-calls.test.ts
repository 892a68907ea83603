import { createHooks } from 'tenterhook';

const tool = { name: 'read', input: {}, execute: () => ({ llmContent: '' }) };
const translator = { toHookRequest: () => ({}) };
const model = { request: {}, translator, call: () => ({}) };
const stream = { request: {}, translator, stream: () => [], collect: () => ({}), toChunks: () => [] };

/** Each method with wrong arguments, and the beginning of the message. */
const wrong: readonly (readonly [method: string, argument: unknown, message: string])[] = [
  ['tool', undefined, 'agent.tool: the argument must be an object { name, input, execute, '],
  ['tool', { ...tool, singal: AbortSignal.abort() }, 'agent.tool has no option "singal". Did you mean "signal"?'],
  ['tool', { ...tool, execute: undefined }, 'agent.tool: "execute" must be a function, and is missing.'],
  ['tool', { name: 'x', execute: tool.execute }, 'agent.tool: "input" must be the arguments of the call, and is missing.'],
  ['tool', { ...tool, signal: new AbortController() }, 'agent.tool: "signal" must be an AbortSignal, and is an object.'],
  ['model', { ...model, sigal: AbortSignal.abort() }, 'agent.model has no option "sigal". Did you mean "signal"?'],
  ['model', { ...model, modelProvder: 'x' }, 'agent.model has no option "modelProvder". Did you mean "modelProvider"?'],
  [
    'model',
    { ...model, translator: () => translator },
    'agent.model: "translator" must be a translator, such as genAiTranslator(), and is a function.',
  ],
  ['streamModel', { ...stream, afterModel: 'pass' }, 'agent.streamModel: "afterModel" must be "whole" or "passthrough", and is "pass".'],
  ['turn', 'hi', 'agent.turn: the argument must be an object { prompt, '],
  ['turn', { prompt: 'hi', respond: () => 'x', singal: AbortSignal.abort() }, 'agent.turn has no option "singal". Did you mean "signal"?'],
  ['turn', { prompt: 'hi' }, 'agent.turn: "respond" must be a function, and is missing.'],
  ['prompt', 'hi', 'agent.prompt: the argument must be an object { prompt, ask, maxRetries, signal }, and is "hi".'],
  ['prompt', { text: 'hi' }, 'agent.prompt: "prompt" must be a string, and is missing.'],
  ['answer', { prompt: 'hi' }, 'agent.answer: "response" must be a string, and is missing.'],
  ['session.start', 'startup', 'agent.session.start: the argument must be an object { source, '],
  [
    'session.start',
    { source: 'boot' },
    'agent.session.start: "source" must be "startup", "resume", "clear", "compress" or "fork", and is "boot".',
  ],
  ['session.start', { sorce: 'resume' }, 'agent.session.start has no option "sorce". Did you mean "source"?'],
  ['session.end', 'exit', 'agent.session.end: the argument must be an object { reason, signal }, and is "exit".'],
  [
    'session.end',
    { reason: 'bored' },
    'agent.session.end: "reason" must be "exit", "clear", "resume", "logout", "prompt_input_exit" or "other"',
  ],
  ['notify', { type: 'x' }, 'agent.notify: "message" must be a string, and is missing.'],
  ['compress', { trigger: 'auto' }, 'agent.compress: "compress" must be a function, and is missing.'],
  ['compress', { trigger: 'x', compress: () => '' }, 'agent.compress: "trigger" must be "manual" or "auto", and is "x".'],
];

test.each(wrong)('agent.%s(%j) is a TypeError that names the method, also without hooks', async (method, argument, message) => {
  await using hooks = await createHooks({ settings: {} });
  const agent = hooks.agent();
  const [outer, inner] = method.split('.') as [keyof typeof agent, string?];
  const owner = inner === undefined ? agent : agent[outer];
  const call = (owner as unknown as Record<string, (value: unknown) => unknown>)[inner ?? outer] as (value: unknown) => unknown;
  const attempt = (async () => call(argument))();
  await expect(attempt).rejects.toThrow(TypeError);
  await expect(attempt).rejects.toThrow(message);
});

test('a host may pass its own object, with other fields', async () => {
  await using hooks = await createHooks({ settings: {} });
  const agent = hooks.agent();
  await expect(agent.tool({ ...tool, conversation: 7, names: [] } as typeof tool)).resolves.toMatchObject({ status: 'executed' });
  await expect(agent.prompt({ prompt: 'hi', user: 'me' } as { prompt: string })).resolves.toMatchObject({ status: 'accepted' });
});

test('arguments that the model left out are not a TypeError', async () => {
  await using hooks = await createHooks({ settings: {} });
  await expect(hooks.agent().tool({ ...tool, input: undefined as never })).resolves.toBeDefined();
});
