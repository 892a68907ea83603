import type { HookEvent, HookInput } from '@tenterhook/protocol';

/**
 * Returns a function that writes events as JSON for stdin. `fieldsOf` selects the fields that the format passes to hooks. The text is
 * computed once for all hooks with the same input object, which never changes.
 */
export function stdinText(fieldsOf: (event: HookEvent) => Readonly<Record<string, unknown>>): (event: HookEvent) => string {
  const texts = new WeakMap<HookInput, string>();
  return (event) => {
    if (hasOwnPrompt(event)) return JSON.stringify(withContextSoFar(event, fieldsOf(event)));
    let text = texts.get(event.input);
    if (text === undefined) {
      text = JSON.stringify(fieldsOf(event));
      texts.set(event.input, text);
    }
    return text;
  };
}

function hasOwnPrompt({ eventName, contextSoFar }: HookEvent): boolean {
  return eventName === 'BeforeAgent' && contextSoFar !== undefined;
}

/**
 * Returns the fields with the prompt that the next hook receives, which includes the context that earlier hooks added. The prompt of the
 * event is not changed (decision 18).
 */
export function withContextSoFar(event: HookEvent, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return hasOwnPrompt(event) ? { ...fields, prompt: `${String(event.input['prompt'])}\n\n${event.contextSoFar}` } : fields;
}
