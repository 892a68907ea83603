import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** An agent in a worker: a hook that denies one command, and a handler that denies another one. */
const program = `
const { parentPort } = require('node:worker_threads');
void (async () => {
  const { createHooks, HookEngine } = await import('tenterhook');
  const engine = new HookEngine();
  engine.register({ id: 'no-dd', event_type: 'pre_tool_use' });
  engine.registerHandler('no-dd', { handle: ({ payload }) => (payload.args.command === 'dd' ? { action: 'Block', reason: 'by handler' } : undefined) });
  const guard = { command: "if grep -q '\\"rm\\"'; then echo 'by command' >&2; exit 2; fi" };
  const hooks = await createHooks({ dialect: 'llxprt', settings: { hooks: { BeforeTool: [{ hooks: [guard] }] } }, handlers: [engine] });
  const reasons = [];
  for (const command of ['rm', 'dd', 'ls']) {
    const call = await hooks.agent().tool({ name: 'run_shell_command', input: { command }, execute: () => ({ llmContent: 'ran' }) });
    reasons.push([call.status, call.reason]);
  }
  await hooks.dispose();
  parentPort.postMessage(reasons);
})();`;

test('an agent in a worker thread has the same guards, and the worker ends after dispose()', async () => {
  const worker = new Worker(program, { eval: true });
  const [[reasons], [code]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  expect(reasons).toEqual([
    ['blocked', 'by command'],
    ['blocked', 'by handler'],
    ['executed', undefined],
  ]);
  expect(code).toBe(0);
});
