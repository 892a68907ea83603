import { HookEngine } from '@tenterhook/handlers';
import type { CreateHooksOptions } from 'tenterhook';
import { formats } from '../../support/formats.js';
import type { Places } from '../../support/places.js';
import { attack } from '../attack.js';
import { ofGeminiAnswer, ofResult, places, replaces, type Settings, settingsOf, withRedactions, withTwoLevels } from './passing.js';

/** An engine of the host that takes "sk-one" out of results and prompts. It finds nothing in what it has left. */
function redactingEngine(): HookEngine {
  const engine = new HookEngine();
  engine.register({ id: 'result', event_type: 'post_tool_use' });
  engine.registerHandler('result', {
    handle: ({ payload: { result } }) =>
      result.output.includes('sk-one')
        ? { action: 'Continue', modified: { output: result.output.replaceAll('sk-one', '[X]') } }
        : undefined,
  });
  engine.register({ id: 'prompt', event_type: 'generate_start' });
  engine.registerHandler('prompt', {
    handle: ({ payload: { prompt } }) =>
      prompt.includes('sk-one') ? { action: 'Continue', modified: { prompt: prompt.replaceAll('sk-one', '[X]') } } : undefined,
  });
  return engine;
}

const ofRequest = { format: 'llxprt', event: 'BeforeModel', field: 'llm_request', shown: 'llm_request' } as const;

attack(
  {
    id: 'removal-undone-from-above',
    attacker: 'a tool that returns two secrets',
    attempt:
      'returns two secrets. A hook of the user removes one of them, a handler of the program the other one; the handler overwrites what the hook wrote',
    result: 'both secrets stay removed: only text that both have left is used',
  },
  async () => {
    for (const place of [ofResult, ofRequest]) {
      const write = (at: Places): CreateHooksOptions => {
        at.write(formats[place.format].user, settingsOf(place, replaces('user', place, 'pw-two', '[Y]')));
        return { handlers: [redactingEngine()] };
      };
      await withRedactions(write, place.event, ({ passed }) => {
        expect([place.event, passed]).toEqual([place.event, expect.not.stringMatching(/sk-one|pw-two/)]);
        expect([place.event, passed]).toEqual([place.event, expect.stringContaining('please use [X] and')]);
      });
    }
  },
);

describe('a hook of a higher level rewrote the data before', () => {
  const removes: readonly [string, 'gemini-cli' | 'claude-code', Settings][] = [
    ['a deny', 'gemini-cli', { command: `if grep -q please; then echo no >&2; exit 2; fi` }],
    ['a failure', 'gemini-cli', { command: 'exit 1', onError: 'block' }],
    ['a failure', 'claude-code', { command: 'exit 1', onFailure: 'block' }],
  ];

  test.each(removes)('%s of a lower level that removes the data in %s is not undone', async (_what, format, hook) => {
    const event = format === 'gemini-cli' ? 'AfterTool' : 'PostToolUse';
    const write = (at: Places): CreateHooksOptions => {
      at.write(formats[format].user, { hooks: { [event]: [{ hooks: [{ type: 'command', ...hook }] }] } });
      return { handlers: [redactingEngine()] };
    };
    await withRedactions(write, event, ({ passed, outcomes }) => {
      expect(passed).not.toMatch(/please|sk-one|pw-two/);
      expect(outcomes.at(-1)).toMatchObject({ level: 'managed', recheck: true });
    });
  });

  test('two denies that redact hold together, side by side and one after the other', async () => {
    const denies = (from: string, to: string) =>
      `jq -c 'select(tostring | test("${from}")) | { decision: "deny", reason: (.tool_response.llmContent | gsub("${from}"; "${to}")) }'`;
    const [user, project] = [[denies('sk-one', '[X]')], [denies('pw-two', '[Y]')]];
    await withTwoLevels({ format: 'gemini-cli', event: 'AfterTool', user, project }, ({ passed }) => {
      expect(passed).toContain('please use [X] and [Y]');
    });
    const replacing = [replaces('other', ofResult, 'pw-two', '[Y]')];
    await withTwoLevels({ format: 'gemini-cli', event: 'AfterTool', user: [...user, ...project] }, ({ passed }) => {
      expect(passed).toContain('please use [X] and [Y]');
    });
    const levels = { format: 'gemini-cli', event: 'PostToolUse', user, project: replacing, projectFormat: 'claude-code' } as const;
    await withTwoLevels(levels, ({ passed }) => expect(passed).toContain('please use [X] and [Y]'));
  });

  test('a redaction of a repository holds beside that of the user, in the answer of a model too', async () => {
    const llxprt = places[1] as (typeof places)[number];
    const user = [replaces('user', llxprt, 'sk-one', '[X]')];
    const project = [replaces('other', ofGeminiAnswer, 'pw-two', '[Y]')];
    await withTwoLevels({ format: 'llxprt', event: 'AfterModel', user, project, projectFormat: 'gemini-cli' }, ({ passed }) => {
      expect(passed).not.toMatch(/sk-one|pw-two/);
      expect(passed).toContain('please use [X] and');
    });
  });
});
