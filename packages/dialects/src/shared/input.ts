import type { HookEvent, HookInput } from '@tenterhook/protocol';

/**
 * Returns a function that writes events as JSON for stdin. `fieldsOf` selects the fields that the format passes to hooks. The text is
 * computed once for all hooks that receive the same input object, which is never changed.
 */
export function stdinText(fieldsOf: (event: HookEvent) => Readonly<Record<string, unknown>>): (event: HookEvent) => string {
  const texts = new WeakMap<HookInput, string>();
  return (event) => {
    if (event.eventName === 'BeforeAgent' && event.contextSoFar !== undefined) {
      // The prompt that the next hook receives includes the context that earlier hooks added. The prompt of the event is not changed
      // (decision 18).
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
