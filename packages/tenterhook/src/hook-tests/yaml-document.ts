import { LineCounter, parseDocument } from 'yaml';

/** The value of a YAML or JSON document, and the line of each part of it. */
export interface YamlDocument {
  readonly value: unknown;
  /** Returns the line, counted from 1, of a part or of the nearest part that contains it. */
  lineOf(path: readonly PropertyKey[]): number;
}

/**
 * Parses a document. JSON is a part of YAML, so one parser reads both, and both have lines. Returns the first syntax error with its line.
 * Aliases are limited to 100 uses, because nested aliases of a few bytes could describe gigabytes.
 */
export function parseYaml(source: string): YamlDocument | { readonly problem: string; readonly line: number } {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error?.code === 'MULTIPLE_DOCS') {
    const problem = 'it has several documents, with a line "---" between them. Write one file for each document.';
    return { problem, line: lines.linePos(error.pos[0]).line };
  }
  if (error !== undefined) return { problem: error.message, line: lines.linePos(error.pos[0]).line };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    return { problem: (thrown as Error).message, line: 1 };
  }
  return {
    value,
    lineOf(path) {
      for (let { length } = path; length > 0; length -= 1) {
        const node = document.getIn(path.slice(0, length), true) as { readonly range?: readonly number[] } | undefined;
        if (node?.range?.[0] !== undefined) return lines.linePos(node.range[0]).line;
      }
      return 1;
    },
  };
}
