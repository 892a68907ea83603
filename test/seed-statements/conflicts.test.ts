import type { BeforeModelHookOutput, BeforeToolSelectionHookOutput } from '@tenterhook/protocol';
import { fireEvent, fireTool, says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';

const specific = (hookSpecificOutput: Record<string, unknown>) => says({ hookSpecificOutput });

describe('one hook selects NONE, another a list', () => {
  const none = specific({ toolConfig: { mode: 'NONE' } });
  const list = specific({ toolConfig: { mode: 'AUTO', allowedFunctionNames: ['read_file', 'write_file'] } });
  const select = async (...hooks: string[]) => {
    const result = await fireEvent('BeforeToolSelection', { llm_request: {} }, hooks);
    return (result.finalOutput as BeforeToolSelectionHookOutput).applyToolConfigModifications({}).toolConfig;
  };

  test('[001/8.1/none-against-list/hook-a] [001/8.1/none-against-list/hook-b] each counts by itself', async () => {
    expect(await select(none)).toEqual({ mode: 'NONE', allowedFunctionNames: [] });
    expect(await select(list)).toEqual({ mode: 'AUTO', allowedFunctionNames: ['read_file', 'write_file'] });
  });

  test('[001/8.1/none-against-list/result] NONE wins in either order, and the list is empty', async () => {
    expect(await select(none, list)).toEqual({ mode: 'NONE', allowedFunctionNames: [] });
    expect(await select(list, none)).toEqual({ mode: 'NONE', allowedFunctionNames: [] });
  });
});

describe('two hooks set the temperature', () => {
  const sets = (temperature: number, seenIn: string) => `cat > ${seenIn}; ${specific({ llm_request: { config: { temperature } } })}`;
  const [a, b] = [sets(0, 'a.json'), sets(1, 'b.json')];
  const fire = (hooks: string[], sequential: boolean) =>
    withHooks({ settings: settingsOf('BeforeModel', hooks, { sequential }) }, async ({ handler, read }) => {
      const result = await handler.fireBeforeModelEvent({ model: 'm-1', config: { temperature: 0.5 } });
      const request = (result.finalOutput as BeforeModelHookOutput).applyLLMRequestModifications({});
      const seen = ['a.json', 'b.json'].map((file) => JSON.parse(read(file) ?? '{}').llm_request?.config?.temperature);
      return { temperature: request.config?.temperature, seen, warnings: result.outcomes.map(warningCodes) };
    });

  test('[001/8.1/two-temperatures/hook-a] [001/8.1/two-temperatures/hook-b] each counts by itself', async () => {
    expect(await fire([a], false)).toMatchObject({ temperature: 0 });
    expect(await fire([b], false)).toMatchObject({ temperature: 1 });
  });

  test('[001/8.1/two-temperatures/parallel] side by side the last in order wins, and both saw the original', async () => {
    expect(await fire([a, b], false)).toEqual({ temperature: 1, seen: [0.5, 0.5], warnings: [[], ['rewrite_conflict']] });
    expect(await fire([b, a], false)).toMatchObject({ temperature: 0 });
  });

  test('[001/8.1/two-temperatures/sequential] in a chain the second sees what the first wrote, and overrides or keeps it', async () => {
    expect(await fire([a, b], true)).toEqual({ temperature: 1, seen: [0.5, 0], warnings: [[], []] });
    expect(await fire([a, 'cat > b.json'], true)).toMatchObject({ temperature: 0, seen: [0.5, 0] });
  });
});

describe('one hook allows, another blocks', () => {
  const allow = says({ decision: 'allow' });
  const block = says({ decision: 'block', reason: 'Policy violation' });

  test('[001/8.1/allow-against-block/hook-a] [001/8.1/allow-against-block/hook-b] each counts by itself', async () => {
    expect((await fireTool([allow])).verdict.kind).toBe('allow');
    expect((await fireTool([block])).verdict).toMatchObject({ kind: 'deny', reason: 'Policy violation' });
  });

  test('[001/8.1/allow-against-block/result] the block wins in either order, with its reason', async () => {
    for (const hooks of [
      [allow, block],
      [block, allow],
    ]) {
      const { verdict, finalOutput } = await fireTool(hooks);
      expect(verdict).toMatchObject({ kind: 'deny', reason: 'Policy violation' });
      expect(finalOutput?.getBlockingError()).toEqual({ blocked: true, reason: 'Policy violation' });
    }
  });
});
