import { fieldsOf, listOf, type PlacedCall, type Run } from '@tenterhook/agent/internal';
import type { ModelRequest } from '../agents-sdk.js';
import { sdkItems } from './items.js';

/** Returns the places of calls that the model makes in an answer to this input. */
export function placesOfNext(run: Run, input: ModelRequest['input'], calls: readonly PlacedCall[]): readonly string[] {
  const { conversation } = read(run, input);
  return calls.map((call) => conversation.placeOf(call));
}

/** Returns the places of the calls in the input, by their ids. Of calls with the same id, the last one counts. */
export function findPlaces(run: Run, input: ModelRequest['input']): ReadonlyMap<string, string> {
  return read(run, input).places;
}

function read(run: Run, input: ModelRequest['input']) {
  const conversation = run.readConversation();
  const places = new Map<string, string>();
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
      const place = conversation.placeOf({ id: found.id, name: found.name, input: found.args });
      places.set(found.id, place);
      answer.push(() => conversation.add(place));
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
