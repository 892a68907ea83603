import type { HookEvent, HookInput } from '@tenterhook/protocol';

/**
 * How a format writes an event that hooks get as JSON: `fieldsOf` tells what of the input they see. Written once for all hooks that see the same
 * input, which never changes.
 */
export function stdinText(fieldsOf: (event: HookEvent) => Readonly<Record<string, unknown>>): (event: HookEvent) => string {
  const texts = new WeakMap<HookInput, string>();
  return (event) => {
    if (event.eventName === 'BeforeAgent' && event.contextSoFar !== undefined) {
      // The next hook sees the context of those before it in the prompt; the prompt itself is not rewritten by it (decision 18).
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
