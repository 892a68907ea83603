import type { Dialect, HookOutcome, HookOutput } from '@tenterhook/protocol';

/** What the aggregator reads of a dialect: how contexts of its hooks are joined. */
export type ContextDialect = Pick<Dialect, 'name' | 'contextSeparator' | 'contextLimit'>;

export const contextField = 'additionalContext';

/** The end of a context that was cut. */
const cutMark = '… [truncated]';

/**
 * Joins the contexts of hooks if their dialects have a separator. Between hooks of different dialects, a line break is the separator.
 * A context above the limit of its dialect is cut. Returns undefined if no dialect has a separator.
 */
export function joinedContext(outcomes: readonly HookOutcome[], dialects: readonly ContextDialect[]): string | undefined {
  // Few hooks add a context, and building the maps takes longer than the rest of the merge.
  if (outcomes.every(({ output }) => contextIn(output) === '')) return undefined;
  const separators = new Map(
    dialects.flatMap(({ name, contextSeparator }) => (contextSeparator === undefined ? [] : [[name, contextSeparator]])),
  );
  if (separators.size === 0) return undefined;
  // The number of characters that are left, by dialect.
  const left = new Map(dialects.flatMap(({ name, contextLimit }) => (contextLimit === undefined ? [] : [[name, contextLimit]])));
  let last: string | undefined;
  let text: string | undefined;
  for (const { dialect, output } of outcomes) {
    const context = contextIn(output);
    if (context === '') continue;
    const most = left.get(dialect) ?? Number.POSITIVE_INFINITY;
    // The first context that is cut, or left out as a whole, has the mark.
    if (most < 0) continue;
    left.set(dialect, most - context.length);
    const separator = last === dialect ? (separators.get(dialect) ?? '\n') : '\n';
    const kept = context.length > most ? `${context.slice(0, most)}${cutMark}` : context;
    text = text === undefined ? kept : `${text}${separator}${kept}`;
    last = dialect;
  }
  return text;
}

function contextIn(output: HookOutput | undefined): string {
  const context = output?.hookSpecificOutput?.[contextField];
  return typeof context === 'string' ? context : '';
}
