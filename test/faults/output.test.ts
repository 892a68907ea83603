import { fireTool, outcomeAt, says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';
import { fault } from './fault.js';

fault('O4', async () => {
  const command = `head -c 200000 /dev/zero | tr '\\0' x; echo no >&2; exit 2`;
  await withHooks({ settings: settingsOf('BeforeTool', [command]), limits: { stdoutBytes: 1000 } }, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2, truncated: true });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['output_truncated']);
  });
});

fault('O5', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', ['exec >&- 2>&-; echo lost; touch ran; exit 0']) }, async ({ handler, read }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 0, stdout: '', stderr: '', warnings: [] });
    expect(read('ran')).toBe('');
  });
});

fault('O6', async () => {
  const result = await fireTool([`${says({ decision: 'deny', reason: 'no' })}; ${says({ systemMessage: 'm' })} > /dev/stdout`]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', warnings: [{ code: 'mixed_output' }] });
});

fault('O7', async () => {
  const result = await fireTool(['echo no > /dev/stderr; exit 2']);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2 });
});
