import { spawnSync } from 'node:child_process';
import { root } from '../support/sources.js';

describe('no warnings', () => {
  /** In a process of its own, as built: the test environment keeps Node's warnings to itself. */
  const program = `
  import { createHooks } from 'tenterhook';
  const group = { hooks: Array.from({ length: 40 }, (_, index) => ({ name: 'h' + index, command: 'true' })) };
  const hooks = await createHooks({ settings: { hooks: { BeforeTool: [group] } } });
  const handler = hooks.getEventHandler();
  const { outcomes } = await handler.fireBeforeToolEvent('write_file', {});
  const control = new AbortController();
  const events = Array.from({ length: 40 }, () => handler.fireBeforeToolEvent('t', {}, undefined, { signal: control.signal, timeoutMs: 60000 }));
  control.abort();
  const cancelled = (await Promise.all(events)).filter((result) => result.errors[0].code === 'cancelled');
  await hooks.dispose();
  console.log(outcomes.filter((outcome) => outcome.status === 'succeeded').length, cancelled.length);
`;

  test('forty hooks of one event, and forty events on one signal, are nothing that Node warns of', () => {
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout.trim()).toBe('40 40');
  });
});
