import { type HandlerWarning, HookEngine, type UntypedHookEvent } from '../../src/index.js';

const event: UntypedHookEvent = {
  event_type: 'pre_tool_use',
  payload: { session_id: 's1', tool: 'Bash', args: {}, working_directory: '/srv/app', recent_tools: [] },
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const fails = (): never => {
  throw new Error('patched');
};

/** Each gives what no well-meaning handler would. */
const odd: [string, () => unknown][] = [
  ['a promise whose own then throws', () => Object.defineProperty(Promise.resolve(), 'then', { value: fails })],
  ['a promise whose then cannot be read', () => Object.defineProperty(Promise.resolve(), 'then', { get: fails })],
  ['a promise whose constructor throws', () => Object.defineProperty(Promise.resolve(), 'constructor', { get: fails })],
  ['what looks like a promise and never keeps its word', () => ({ [['th', 'en'].join('')]: fails })],
  ['a revoked proxy', revoked],
  ['a promise of a revoked proxy', async () => [revoked()][0]],
  [
    'the throw of a revoked proxy',
    () => {
      throw revoked();
    },
  ],
  ['a promise that rejects with a revoked proxy', () => Promise.reject(revoked())],
];

// A rejection that nobody handles fails a test run by itself: the process would end here.
describe.each(odd)('%s', (_, handle) => {
  const engineOf = (config: object) => {
    const engine = new HookEngine();
    engine.register({ id: 'odd', event_type: 'pre_tool_use', config });
    engine.register_handler('odd', { handle: handle as () => undefined });
    return engine;
  };

  test('is a failed call, and fire resolves', async () => {
    const result = await engineOf({ onError: 'block' }).fire(event as never);
    expect(result).toMatchObject({ action: 'Block', warnings: [{ hook_id: 'odd', code: 'hook_failed' }] });
  });

  test('is a late warning of a handler that nobody waits for', async () => {
    const engine = engineOf({ async_execution: true });
    const warned = new Promise<HandlerWarning>((resolve) => engine.warnings$.subscribe(resolve));
    expect(await engine.fire(event as never)).toEqual({ action: 'Continue', warnings: [] });
    expect(await warned).toMatchObject({ hook_id: 'odd', code: 'hook_failed', late: true });
  });
});
