import type { FirstLine } from '../../src/index.js';

/** Resolves with the first line that is passed; `look` is called in the same turn. */
export function lineOf(look: (line: FirstLine) => void = () => {}) {
  let onFirstLine: (line: FirstLine) => void = () => {};
  const line = new Promise<FirstLine>((resolve) => {
    onFirstLine = (passed) => {
      look(passed);
      resolve(passed);
    };
  });
  return { line, onFirstLine };
}
