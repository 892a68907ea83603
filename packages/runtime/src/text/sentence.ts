/** The text with a full stop at its end, unless it ends a sentence already: text of a system or a hook often lacks it. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
