import type { BeforeModelHookOutput } from '@tenterhook/protocol';
import { says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';

const specific = (hookSpecificOutput: Record<string, unknown>) => says({ hookSpecificOutput });

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

  test('each counts by itself', async () => {
    expect(await fire([a], false)).toMatchObject({ temperature: 0 });
    expect(await fire([b], false)).toMatchObject({ temperature: 1 });
  });

  test('parallel: side by side the last in order wins, and both saw the original', async () => {
    expect(await fire([a, b], false)).toEqual({ temperature: 1, seen: [0.5, 0.5], warnings: [[], ['rewrite_conflict']] });
    expect(await fire([b, a], false)).toMatchObject({ temperature: 0 });
  });

  test('sequential: in a chain the second sees what the first wrote, and overrides or keeps it', async () => {
    expect(await fire([a, b], true)).toEqual({ temperature: 1, seen: [0.5, 0], warnings: [[], []] });
    expect(await fire([a, 'cat > b.json'], true)).toMatchObject({ temperature: 0, seen: [0.5, 0] });
  });
});
