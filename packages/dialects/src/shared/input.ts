import type { HookEvent, HookInput } from '@tenterhook/protocol';

/**
 * Returns a function that writes events as JSON for stdin. `fieldsOf` selects the fields that the format passes to hooks. Hooks
 * with the same input object share one text, because the object never changes.
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
 * Returns the fields, with the context of earlier hooks added to the prompt for the next hook. The prompt in the event stays the
 * same (decision 18).
 */
export function withContextSoFar(event: HookEvent, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return hasOwnPrompt(event) ? { ...fields, prompt: `${String(event.input['prompt'])}\n\n${event.contextSoFar}` } : fields;
}

/** Returns how many answers in a row hooks have denied before this one. A host that does not count says only whether there was one. */
export function loopCountOf({ loop_count: count, stop_hook_active: isActive }: Readonly<Record<string, unknown>>): number {
  return typeof count === 'number' ? count : isActive === true ? 1 : 0;
}
