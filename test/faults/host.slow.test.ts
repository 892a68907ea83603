import { outcomeAt, withHooks } from '../support/fire-hooks.js';
import { fault } from './fault.js';
import { denied, ofHost } from './hook-of-the-host.js';

fault('H9', async () => {
  let signal: AbortSignal | undefined;
  const prompt = (_request: unknown, options: { readonly signal: AbortSignal }) => {
    signal = options.signal;
    return new Promise(() => {});
  };
  await withHooks({ ...ofHost('prompt'), callbacks: { prompt } }, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.verdict).toMatchObject(denied);
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'timed-out', warnings: [{ code: 'timeout' }] });
    expect(signal?.aborted).toBe(true);
  });
});
