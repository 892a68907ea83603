import {
  anthropicTranslator,
  callModelWithHooks,
  genAiTranslator,
  type LlmTranslator,
  openAiChatTranslator,
  openAiResponsesTranslator,
} from '@tenterhook/agent';
import { withClient } from '../support/agent.js';
import { type HookText, says, settingsOf } from '../support/fire-hooks.js';

type FormatName = 'genai' | 'openai-chat' | 'openai-responses' | 'anthropic';

/** Tests that what hooks remove from a response does not come back, in these formats. */
export function testRedaction(names: readonly FormatName[]): void {
  describe('redaction', () => {
    const secret = 'the key is 1234';

    /** A response in the format of an SDK that contains the secret and calls `run_shell`. */
    interface Format<Response> {
      readonly translator: LlmTranslator<{ model: string }, Response>;
      readonly response: Response;
    }

    const formats: Record<FormatName, Format<object>> = {
      genai: {
        translator: genAiTranslator() as unknown as Format<object>['translator'],
        response: {
          candidates: [
            {
              content: { role: 'model', parts: [{ text: secret }, { functionCall: { name: 'run_shell', args: {} } }] },
              finishReason: 'STOP',
            },
          ],
          usageMetadata: { totalTokenCount: 4 },
        },
      },
      'openai-chat': {
        translator: openAiChatTranslator() as unknown as Format<object>['translator'],
        response: {
          choices: [
            {
              index: 0,
              finish_reason: 'tool_calls',
              message: {
                role: 'assistant',
                content: secret,
                tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run_shell', arguments: '{}' } }],
              },
            },
          ],
          usage: { total_tokens: 4 },
        },
      },
      'openai-responses': {
        translator: openAiResponsesTranslator() as unknown as Format<object>['translator'],
        response: {
          status: 'completed',
          output: [
            { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text: secret, annotations: [] }] },
            { type: 'function_call', call_id: 'c1', name: 'run_shell', arguments: '{}' },
          ],
          output_text: secret,
          usage: { total_tokens: 4 },
        },
      },
      anthropic: {
        translator: anthropicTranslator() as unknown as Format<object>['translator'],
        response: {
          role: 'assistant',
          content: [
            { type: 'text', text: secret },
            { type: 'tool_use', id: 'c1', name: 'run_shell', input: {} },
          ],
          stop_reason: 'tool_use',
          usage: { input_tokens: 1, output_tokens: 3 },
        },
      },
    };

    /** A hook that reads the event, lets `edit` change the response `r`, and prints the result. */
    const edits = (edit: string): HookText => {
      const print = 'console.log(JSON.stringify({ hookSpecificOutput: { llm_response: r } }))';
      return `node -e "let r = JSON.parse(require('fs').readFileSync(0)).llm_response; ${edit}; ${print}"`;
    };
    const redacts = edits("r.text = '***'");
    const echoes = edits('');

    async function answer({ translator, response }: Format<object>, hooks: readonly HookText[], sequential = false) {
      return withClient({ settings: settingsOf('AfterModel', hooks, { sequential }) }, async ({ client }) => {
        const outcome = await callModelWithHooks(client, { request: { model: 'm' }, translator, call: () => response });
        expect(outcome.status).toBe('responded');
        const answered = outcome.response as object;
        return { text: translator.toHookResponse(answered).text ?? '', json: JSON.stringify(answered) };
      });
    }

    interface Case {
      readonly hooks: readonly HookText[];
      readonly text: string;
      readonly keepsCall: boolean;
    }

    const cases: Record<string, Case> = {
      'a redactor that prints the whole response back': { hooks: [redacts], text: '***', keepsCall: true },
      'a redactor of the candidates that prints the text back': {
        hooks: [edits("r.candidates[0].content.parts = ['***']")],
        text: '***',
        keepsCall: false,
      },
      'a hook that prints everything back': { hooks: [echoes], text: secret, keepsCall: true },
      'a redactor, and a hook beside it that prints everything back': { hooks: [redacts, echoes], text: '***', keepsCall: true },
      'a hook that prints everything back, and a redactor beside it': { hooks: [echoes, redacts], text: '***', keepsCall: true },
      'a guard that returns nothing but the candidates as they were shown': {
        hooks: [edits('r = { candidates: r.candidates }')],
        text: secret,
        keepsCall: false,
      },
      'a guard that returns other candidates': {
        hooks: [says({ hookSpecificOutput: { llm_response: { candidates: [{ content: { role: 'model', parts: ['no'] } }] } } })],
        text: 'no',
        keepsCall: false,
      },
    };

    describe.each(names)('%s', (name) => {
      const format = formats[name];
      test.each(Object.entries(cases))('%s', async (_name, { hooks, text, keepsCall }) => {
        const answered = await answer(format, hooks);
        expect(answered.text).toBe(text);
        expect(answered.json.includes('run_shell')).toBe(keepsCall);
        expect(answered.json.includes('1234')).toBe(text === secret);
      });

      test('one after another: who prints back what the redactor before it left takes no call away', async () => {
        const answered = await answer(format, [redacts, echoes], true);
        expect(answered.text).toBe('***');
        expect(answered.json).toContain('run_shell');
        expect(answered.json).not.toContain('1234');
      });
    });
  });
}
