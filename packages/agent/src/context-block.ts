/** No format of hooks names it. */
const tag = 'hook_context';

/**
 * What the hooks of one event have for the model, as one block that nothing of it can leave. Undefined where it is white space alone: an
 * empty block would make a model look for what is missing.
 *
 * The text is escaped whole, and not only the closing tag in it. A model is no parser: it takes `</HOOK_CONTEXT >` for the end too, and a
 * `<system>` inside for the host's own words (field failure 51). `&` is escaped with them, so that a text is shown in one way only.
 * Nothing else is changed or cut: nobody parses the block, so that a control character does no harm, and what hooks print is bounded
 * where it is read.
 */
export function contextBlock(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${tag}>\n${shown}\n</${tag}>`;
}
