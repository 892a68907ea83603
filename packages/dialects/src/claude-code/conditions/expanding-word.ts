/** `{git,push}` becomes several words, and `gi?` the file that it fits. By single steps: the text is a model's. */
export function isExpanding(bare: string): boolean {
  const [bracket, brace] = [bare.indexOf('['), bare.indexOf('{')];
  if (bare.includes('*') || bare.includes('?') || (bracket !== -1 && bare.indexOf(']', bracket) !== -1)) return true;
  const end = brace === -1 ? -1 : bare.lastIndexOf('}');
  const inner = end > brace ? bare.slice(brace, end) : '';
  return inner.includes(',') || inner.includes('..');
}
