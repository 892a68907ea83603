/** Beyond it, everything is forgotten. */
const mostKnown = 4_000;
/** Longer texts rarely repeat. */
const longest = 200;

/**
 * Remembers the answer of a test for short texts. Names, ids and words of messages repeat in each of them, and a test by patterns takes
 * longer than the rest of the work on such a text. `remembers` excludes answers that must not stay in memory.
 */
export function remembered<Answer>(
  find: (text: string) => Answer,
  remembers: (answer: Answer, text: string) => boolean = () => true,
): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    if (text.length > longest) return find(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = find(text);
    if (!remembers(answer, text)) return answer;
    if (known.size >= mostKnown) known.clear();
    known.set(text, answer);
    return answer;
  };
}
