import type { HookEvent, HookInput } from '@tenterhook/protocol';

/**
 * Serializes events for hooks that get JSON on stdin. `fieldsOf` selects the fields that the format shows of an event. The text is computed once
 * for all hooks that see the same input object, which never changes.
 */
export function stdinText(fieldsOf: (event: HookEvent) => Readonly<Record<string, unknown>>): (event: HookEvent) => string {
  const texts = new WeakMap<HookInput, string>();
  return (event) => {
    if (event.eventName === 'BeforeAgent' && event.contextSoFar !== undefined) {
      // The prompt of the next hook includes the context of earlier hooks; the event's own prompt stays as it is (decision 18).
      return JSON.stringify({ ...fieldsOf(event), prompt: `${String(event.input['prompt'])}\n\n${event.contextSoFar}` });
    }
    let text = texts.get(event.input);
    if (text === undefined) {
      text = JSON.stringify(fieldsOf(event));
      texts.set(event.input, text);
    }
    return text;
  };
}
