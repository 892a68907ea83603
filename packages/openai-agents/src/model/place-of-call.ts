import { Conversation, fieldsOf, listOf, type PlacedCall } from '@tenterhook/agent/internal';
import type { ModelRequest } from '../agents-sdk.js';
import { sdkItems } from './items.js';

/** Returns the place of a call that the model makes after this input. */
export function placeOfNext(input: ModelRequest['input'], call: PlacedCall): string {
  return read(input).conversation.placeOf(call);
}

/** Returns the places of the calls in the input, by their ids. Of calls with the same id, the last one counts. */
export function findPlaces(input: ModelRequest['input']): ReadonlyMap<string, () => string> {
  return read(input).places;
}

function read(input: ModelRequest['input']) {
  const conversation = new Conversation();
  const places = new Map<string, () => string>();
  // The items of one answer follow each other, and all its calls have the same place.
  let answer: (() => void)[] = [];
  const end = () => {
    for (const add of answer) add();
    answer = [];
  };
  for (const item of listOf(input)) {
    const found = sdkItems.callOf(item);
    const { role, content } = fieldsOf(item);
    if (found?.id !== undefined) {
      const call = { id: found.id, name: found.name, input: found.args };
      const place = conversation.placeOf(call);
      places.set(call.id, () => place);
      answer.push(() => conversation.addCall(call));
    } else if (role === 'assistant') {
      const texts = listOf(content).map((part) => String(fieldsOf(part)['text'] ?? ''));
      answer.push(() => conversation.add(texts.join('')));
    } else if (role === 'user' || sdkItems.isResult(item)) {
      end();
    }
  }
  end();
  return { conversation, places };
}
