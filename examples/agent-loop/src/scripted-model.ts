import type { Content, GenerateContentRequest, GenerateContentResponse } from './gen-ai-shape.js';
import { reply, type Seen, type Story } from './story.js';

export interface Model {
  generateContent(request: GenerateContentRequest): GenerateContentResponse;
}

/**
 * Creates a model with scripted answers, so that the example needs no key and gives the same output every time. `onRequest`
 * receives each request.
 */
export function createScriptedModel({ replies }: Story, onRequest: (request: GenerateContentRequest) => void): Model {
  let turn = 0;
  return {
    generateContent(request) {
      onRequest(request);
      const content = replies[turn]?.(seenIn(request.contents.at(-1))) ?? reply('That is all I know.');
      turn += 1;
      return { candidates: [{ content, finishReason: 'STOP' }] };
    },
  };
}

function seenIn(content: Content | undefined): Seen {
  const parts = content?.parts ?? [];
  const texts = parts.map(({ text, functionResponse }) => text ?? Object.values(functionResponse?.response ?? {}).join('\n'));
  return { text: texts.join('\n'), isError: parts.some(({ functionResponse }) => functionResponse?.response['error'] !== undefined) };
}
