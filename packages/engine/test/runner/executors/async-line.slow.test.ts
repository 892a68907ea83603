import { endScenes, sceneOf } from './async-hook.js';

describe('with real processes', () => {
  afterEach(endScenes);

  test('an asyncTimeout is its time from then on, also a longer one than the settings give', async () => {
    const short = sceneOf(`echo '{"async":true,"asyncTimeout":50}'; exec sleep 600`);
    expect(await short.fire()).toMatchObject({ status: 'detached' });
    expect(await short.late).toMatchObject({
      status: 'timed-out',
      warnings: [{ code: 'timeout', message: expect.stringContaining('did not end within 50 ms') }],
    });
    const long = sceneOf(`echo '{"async":true,"asyncTimeout":600000}'; sleep 2`, { timeoutMs: 1500 });
    await long.fire();
    expect(await long.late).toMatchObject({ status: 'succeeded' });
  });

  test('without one the time of the settings stays', async () => {
    const { fire, late } = sceneOf(`echo '{"async":true}'; exec sleep 600`, { timeoutMs: 2000 });
    expect(await fire()).toMatchObject({ status: 'detached' });
    expect(await late).toMatchObject({ status: 'timed-out', warnings: [{ message: expect.stringContaining('within 2000 ms') }] });
  });
});
