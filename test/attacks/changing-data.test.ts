import { anthropicTranslator, genAiTranslator, openAiChatTranslator } from '@tenterhook/agent';
import { type Scene, settingsOf, withEndingHooks } from '../support/fire-hooks.js';
import { attack } from './attack.js';

const secret = 'the key is 1234';
const guard = { command: 'grep -q 1234 && { echo no >&2; exit 2; }; true', onError: 'block' };
const answer = (text: unknown) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] });

/** Runs a change when the first hook of an event starts. */
function atFirstHook({ hooks }: Scene, change: () => void): void {
  let isDone = false;
  hooks.onProgress(({ kind }) => {
    if (kind !== 'hook-started' || isDone) return;
    isDone = true;
    change();
  });
}

describe('requests and answers that are not what hooks saw', () => {
  attack(
    {
      id: 'request-changes-while-shown',
      attacker: 'a user, or a part of the program, that changes the history of a chat',
      attempt: 'adds or changes a message while the guard reads the request, or while the user is asked about it',
      result: 'hooks are asked again about the new request. A request that never stops changing is blocked',
    },
    async () => {
      type Contents = { role: string; parts: { text: string }[] }[];
      const changes: ((contents: Contents) => void)[] = [
        (contents) => contents.push({ role: 'user', parts: [{ text: secret }] }),
        ([first]) => Object.assign(first!.parts[0]!, { text: secret }),
      ];
      await withEndingHooks({ settings: settingsOf('BeforeModel', [guard]) }, async (scene) => {
        for (const change of changes) {
          const contents: Contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
          atFirstHook(scene, () => change(contents));
          const sent: unknown[] = [];
          const call = (request: unknown) => {
            sent.push(request);
            return answer('fine');
          };
          const { status, reason } = await scene.hooks.agent().model({ request: { contents }, translator: genAiTranslator(), call });
          expect([status, reason, sent]).toEqual(['blocked', 'no', []]);
        }
        // A harmless change is shown as well, and then sent.
        const contents: Contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
        atFirstHook(scene, () => contents.push({ role: 'user', parts: [{ text: 'and hello' }] }));
        const call = () => answer('fine');
        const { status } = await scene.hooks.agent().model({ request: { contents }, translator: genAiTranslator(), call });
        expect(status).toBe('responded');
        const never: Contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
        scene.hooks.onProgress(({ kind }) => {
          if (kind === 'hook-started') never.push({ role: 'user', parts: [{ text: 'again' }] });
        });
        const blocked = await scene.hooks.agent().model({ request: { contents: never }, translator: genAiTranslator(), call });
        expect([blocked.status, blocked.reason]).toEqual(['blocked', expect.stringContaining('while hooks checked it')]);
      });
      const asks = `grep -q 1234 && { echo no >&2; exit 2; }; echo '{"decision":"ask"}'`;
      await withEndingHooks({ settings: settingsOf('BeforeModel', [asks]) }, async ({ hooks }) => {
        const contents: Contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
        const ask = () => {
          contents.push({ role: 'user', parts: [{ text: secret }] });
          return 'allow' as const;
        };
        const call = () => answer('fine');
        const { status, reason } = await hooks.agent({ ask }).model({ request: { contents }, translator: genAiTranslator(), call });
        expect([status, reason]).toEqual(['blocked', 'no']);
      });
    },
  );

  attack(
    {
      id: 'answer-changes-while-shown',
      attacker: 'the library that calls the model',
      attempt: 'writes a secret into the answer while the hook reads it',
      result: 'the answer is withheld',
    },
    async () => {
      await withEndingHooks({ dialect: 'gemini-cli', settings: settingsOf('AfterModel', [guard]) }, async (scene) => {
        const part = { text: 'fine' };
        atFirstHook(scene, () => Object.assign(part, { text: secret }));
        const call = () => ({ candidates: [{ content: { role: 'model', parts: [part] } }] });
        const contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
        const { response, reason } = await scene.hooks.agent().model({ request: { contents }, translator: genAiTranslator(), call });
        expect([part.text, JSON.stringify(response), reason]).toEqual([
          secret,
          expect.not.stringContaining('1234'),
          expect.stringContaining('The response was withheld'),
        ]);
      });
    },
  );

  attack(
    {
      id: 'text-is-an-object',
      attacker: 'a library that creates the messages of a request, or the answer of a model',
      attempt:
        'has a text as a String object, or as an object with a toJSON, so that it is a text in the JSON that is sent, but not for the hooks',
      result: 'hooks receive the text that the JSON contains',
    },
    async () => {
      const texts = [
        Object(secret),
        { toJSON: () => secret },
        new (class {
          toJSON = () => secret;
        })(),
      ] as unknown[];
      await withEndingHooks({ settings: settingsOf('BeforeModel', [guard]) }, async ({ hooks }) => {
        for (const text of texts) {
          const call = () => answer('fine');
          const ofGenAi = { contents: [{ role: 'user', parts: [{ text }] }] };
          const ofOthers = { messages: [{ role: 'user', content: text }] };
          const blocked = [
            await hooks.agent().model({ request: ofGenAi, translator: genAiTranslator(), call }),
            await hooks.agent().model({ request: ofOthers, translator: openAiChatTranslator(), call }),
            await hooks.agent().model({ request: ofOthers, translator: anthropicTranslator(), call }),
          ];
          expect(blocked.map(({ status, reason }) => [status, reason])).toEqual(Array(3).fill(['blocked', 'no']));
        }
      });
      await withEndingHooks({ dialect: 'gemini-cli', settings: settingsOf('AfterModel', [guard]) }, async ({ hooks }) => {
        for (const text of texts) {
          const contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
          const call = () => answer(text);
          const { response } = await hooks.agent().model({ request: { contents }, translator: genAiTranslator(), call });
          expect(JSON.stringify(response)).not.toContain('1234');
        }
      });
    },
  );
});
