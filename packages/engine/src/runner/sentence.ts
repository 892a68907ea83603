/** Ends with a full stop, so that the next sentence does not run into what a system or a hook said. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
