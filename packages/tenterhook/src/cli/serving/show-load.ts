import type { CommandContext } from '../context.js';
import type { NamespaceLoad } from './served-namespace.js';

const showEveryMs = 500;

/** A namespace and what it has done so far. */
interface LoadedNamespace {
  readonly name: string;
  readonly load: NamespaceLoad;
}

/**
 * Shows the load on a terminal, in one line that is replaced. Elsewhere each line would be one of a log. Returns a function that ends this
 * and clears the line.
 */
export function showLoad(served: readonly LoadedNamespace[], { stderr }: Pick<CommandContext, 'stderr'>): () => void {
  if (!stderr.isTTY) return () => {};
  const show = () => stderr.write(`\r\u001b[K${formatLoad(served, (stderr.columns || 80) - 1)}`);
  const timer = setInterval(show, showEveryMs);
  return () => {
    clearInterval(timer);
    stderr.write('\r\u001b[K');
  };
}

function formatLoad(served: readonly LoadedNamespace[], width: number): string {
  const texts = served.map(({ name, load: { running, answered, denied, failed } }) => {
    return `${name}: ${running} running, ${answered} answered, ${denied} denied, ${failed} failed`;
  });
  const line = texts.join('  ');
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
