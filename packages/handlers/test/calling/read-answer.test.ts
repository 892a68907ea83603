import { type HandlerWarning, HookEngine, type UntypedHandlerEvent } from '../../src/index.js';
import { resultOf } from '../scene.js';

const fails = (): never => {
  throw new Error('cannot be read');
};
const failed = (words: RegExp) => [{ hook_id: 'h', code: 'hook_failed', message: expect.stringMatching(words) }];

test('a Continue whose fields are misspelt is a failed call: it may be a redaction that would be lost', async () => {
  const answer = { action: 'Continue', modifed: { command: 'ls' } };
  const warnings = failed(/"modifed".*Did you mean "modified"/);
  expect(await resultOf(answer)).toEqual({ action: 'Continue', warnings });
  expect(await resultOf(answer, { onError: 'block' })).toMatchObject({ action: 'Block', warnings });
});

test('a Continue with a field that is like none of ours goes on, with a warning', async () => {
  const { action, modified, warnings } = await resultOf({ action: 'Continue', modified: { a: 1 }, colour: 'red' });
  expect([action, modified]).toEqual(['Continue', { a: 1 }]);
  expect(warnings).toMatchObject([{ hook_id: 'h', code: 'no_effect', message: expect.stringContaining('"colour"') }]);
});

test.each<[string, object, reason: string, code: string, words: RegExp]>([
  ['whose reason is misspelt', { resaon: 'no' }, 'Blocked', 'other_spelling', /"resaon".*Did you mean "reason"/],
  ['whose reason is not a text', { reason: 7 }, 'Blocked', 'wrong_type', /reason must be a string, and is 7/],
  ['whose reason cannot be read', Object.defineProperty({}, 'reason', { get: fails, enumerable: true }), 'Blocked', 'wrong_type', /read/],
  [
    'whose modified cannot be read',
    Object.defineProperty({}, 'modified', { get: fails, enumerable: true }),
    'Blocked',
    'wrong_type',
    /cannot be read/,
  ],
  ['with modified beside it', { reason: 'no', modified: { a: 1 } }, 'no', 'rewrite_ignored', /"modified".*Block/],
])('a Block %s stays a Block, with a warning', async (_, fields, reason, code, words) => {
  const answer = Object.defineProperty(fields, 'action', { value: 'Block', enumerable: true });
  const result = await resultOf(answer);
  expect(result).toMatchObject({ action: 'Block', reason });
  expect(result.modified).toBeUndefined();
  expect(result.warnings).toMatchObject([{ hook_id: 'h', code, message: expect.stringMatching(words) }]);
});

test('what is misspelt beside Retry and Skip is reported', async () => {
  expect(await resultOf({ action: 'Retry', retry_delay: 5 })).toMatchObject({
    action: 'Retry',
    retry_delay_ms: 1000,
    warnings: [{ code: 'other_spelling', message: expect.stringContaining('"retry_delay_ms"') }],
  });
  const { action } = await resultOf({ action: 'Skip', reson: 'x' });
  expect(action).toBe('Continue');
});

test('an action that cannot be read is a failed call', async () => {
  const answer = Object.defineProperty({}, 'action', { get: fails });
  expect(await resultOf(answer)).toEqual({ action: 'Continue', warnings: failed(/cannot be read/) });
});

const event: UntypedHandlerEvent = {
  event_type: 'pre_tool_use',
  payload: { session_id: 's1', tool: 'Bash', args: {}, working_directory: '/srv/app', recent_tools: [] },
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const breaks = (): never => {
  throw new Error('patched');
};

/** Each handler returns a value that no handler should return. */
const odd: [string, () => unknown][] = [
  ['a promise whose own then throws', () => Object.defineProperty(Promise.resolve(), 'then', { value: breaks })],
  ['a promise whose then cannot be read', () => Object.defineProperty(Promise.resolve(), 'then', { get: breaks })],
  ['a promise whose constructor throws', () => Object.defineProperty(Promise.resolve(), 'constructor', { get: breaks })],
  ['what looks like a promise and never keeps its word', () => ({ [['th', 'en'].join('')]: breaks })],
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

// An unhandled rejection would end the process, so the test run would fail.
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

  test('is a late warning of an asynchronous handler', async () => {
    const engine = engineOf({ async_execution: true });
    const warned = new Promise<HandlerWarning>((resolve) => engine.warnings$.subscribe(resolve));
    expect(await engine.fire(event as never)).toEqual({ action: 'Continue', warnings: [] });
    expect(await warned).toMatchObject({ hook_id: 'odd', code: 'hook_failed', late: true });
  });
});
