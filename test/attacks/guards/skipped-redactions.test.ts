import { anthropicTranslator, callModelWithHooks, createHookClient, genAiTranslator, openAiChatTranslator } from '@tenterhook/agent';
import type { CreateHooksOptions } from 'tenterhook';
import { type HookText, says, withEndingHooks } from '../../support/fire-hooks.js';
import { withPlaces } from '../../support/places.js';
import { type PlainRequest, plainTranslator } from '../../support/plain-translator.js';
import { attack } from '../attack.js';
import { askModel, group, onEvent, readSecret } from './guard-rig.js';

describe('a word that undoes nothing skips no redaction', () => {
  const denies: HookText = { name: 'denies', command: says({ decision: 'deny', reason: 'I object' }) };
  const gemini = (hooks: readonly object[]): CreateHooksOptions => ({
    dialect: 'gemini-cli',
    settings: { hooks: { AfterTool: [{ sequential: true, hooks }] } },
  });

  attack(
    {
      id: 'after-deny-hides-redaction',
      attacker: 'a hook of the repository',
      attempt: 'denies after a tool has run, so that the redaction of the result, which comes later, does not run',
      result: 'after a tool, a deny does not keep later hooks from running',
    },
    async () => {
      const redaction = { type: 'command', name: 'redacts', command: says({ decision: 'deny', reason: 'the key is …' }) };
      const first = { type: 'command', name: 'first', command: says({ continue: false, stopReason: 'enough' }) };
      const { result, after } = await readSecret(gemini([first, redaction]));
      expect(JSON.stringify(result)).not.toContain('hunter2');
      expect(after?.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'blocked']);
      expect(after?.verdict).toMatchObject({ kind: 'deny', stop: true });
    },
  );

  attack(
    {
      id: 'after-model-deny-hides-deny',
      attacker: 'a hook of the repository, in a format whose deny does not undo the answer of the model',
      attempt: 'denies the answer, so that a hook of another format, whose deny removes the answer, does not run',
      result: 'a deny that has no effect does not keep later hooks from running',
    },
    () =>
      withPlaces(async ({ write, discover }) => {
        const hides = { type: 'command', name: 'hides', command: says({ decision: 'deny', reason: 'secret' }) };
        write('project/.llxprt/settings.json', { tools: { enableHooks: true }, hooks: { AfterModel: [group([denies])] } });
        write('home/.gemini/settings.json', { hooks: { AfterModel: [{ hooks: [hides] }] } });
        await discover(async ({ hooks }) => {
          const request: PlainRequest = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }], tools: [] };
          const call = () => ({ text: 'hunter2' });
          const finished = await callModelWithHooks(createHookClient(hooks), { request, translator: plainTranslator(), call });
          expect(finished.after?.outcomes.map(({ dialect, status }) => [dialect, status])).toEqual([
            ['llxprt', 'blocked'],
            ['gemini-cli', 'blocked'],
          ]);
          expect(JSON.stringify(finished.response)).not.toContain('hunter2');
        });
      }),
  );

  attack(
    {
      id: 'withheld-answer-keeps-hidden-fields',
      attacker: 'the model, or the service that runs it',
      attempt: 'has the secret in a field of the answer that hooks do not see, such as the reasoning, when a hook removes the answer',
      result: 'the empty answer is new, and contains nothing of the original',
    },
    async () => {
      const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
      const message = { role: 'assistant', content: 'hello', reasoning_content: 'hunter2' };
      const chat = { choices: [{ index: 0, finish_reason: 'stop', message }], usage, service_note: 'hunter2' };
      const genai = {
        candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
        automaticFunctionCallingHistory: [{ role: 'model', parts: [{ text: 'hunter2' }] }],
      };
      const anthropic = {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hunter2' },
          { type: 'text', text: 'hello' },
        ],
        stop_reason: 'end_turn',
      };
      const denial = { type: 'command', command: says({ decision: 'deny', reason: 'no' }) };
      const removals: CreateHooksOptions[] = [
        onEvent('AfterModel', group([{ command: 'exit 1', onError: 'block' }])),
        { dialect: 'gemini-cli', settings: { hooks: { AfterModel: [{ hooks: [denial] }] } } },
      ];
      for (const options of removals) {
        await withEndingHooks(options, async ({ hooks }) => {
          const agent = hooks.agent();
          const request = { model: 'm-1', messages: [], contents: [], max_tokens: 9 };
          const answers = [
            await agent.model({ request, translator: openAiChatTranslator(), call: () => chat }),
            await agent.model({ request, translator: genAiTranslator(), call: () => genai }),
            await agent.model({ request, translator: anthropicTranslator(), call: () => anthropic }),
          ];
          for (const { status, response } of answers) {
            expect([status, JSON.stringify(response)]).toEqual(['responded', expect.not.stringMatching(/hunter2|hello/)]);
          }
        });
      }
    },
  );

  test('a redaction that fails closed withholds the result, also beside a hook that returns it', async () => {
    const fails: HookText = { name: 'redacts', command: 'exit 1', onError: 'block' };
    const { result, after } = await readSecret(onEvent('AfterTool', group([fails])));
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result).toMatchObject({ llmContent: expect.stringContaining('redacts') });
    expect(after?.outcomes).toMatchObject([{ status: 'failed', failedClosed: true }]);
    expect((await readSecret(onEvent('AfterTool', group([{ ...fails, onError: 'continue' }])))).result.llmContent).toContain('hunter2');

    const claude: CreateHooksOptions = {
      dialect: 'claude-code',
      settings: {
        hooks: {
          PostToolUse: [
            {
              hooks: [
                { type: 'command', command: 'exit 1', onFailure: 'block' },
                {
                  type: 'command',
                  command: says({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'key: hunter2' } }),
                },
              ],
            },
          ],
        },
      },
    };
    expect(JSON.stringify((await readSecret(claude)).result)).not.toContain('hunter2');
  });

  test('a check of the model that fails closed withholds the answer', async () => {
    const finished = await askModel(onEvent('AfterModel', group([{ command: 'exit 1', onError: 'block' }])));
    expect(JSON.stringify(finished.response)).not.toContain('hunter2');
    expect(finished).toMatchObject({ status: 'responded', after: { verdict: { kind: 'deny' } } });
  });
});
