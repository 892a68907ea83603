/** What an installation left about a file, so that it can be taken back byte by byte. */
export interface InstallRecord {
  /** The text before the first installation. Null if there was no file. */
  readonly before: string | null;
  /** The text after the last installation. */
  readonly after: string;
}

/** A part of the text after an installation, and the text that was in its place before. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly before: string;
}

/**
 * Takes an installation back in a text that was edited since, so that everything but the edits is as it was, byte by byte. Returns undefined
 * if the edits are in what the installation has changed, or if it is not certain where that is.
 */
export function revertInstall(text: string, { before, after }: InstallRecord): string | undefined {
  if (before === null) return undefined;
  // Lines of the user between those of the installation may be edited. On few lines, everything from the first change to the last is one.
  for (const changes of [changedLines(before, after), [wholeChange(before, after)]]) {
    if (changes === undefined || replaced(after, changes) !== before) continue;
    const found = placesIn(text, after, changes);
    if (found !== undefined) return replaced(text, found);
  }
  return undefined;
}

function placesIn(text: string, after: string, changes: readonly Change[]): readonly Change[] | undefined {
  const found: Change[] = [];
  for (const change of changes) {
    const from = placeIn(text, after, change);
    if (from === undefined || from < (found.at(-1)?.to ?? 0)) return undefined;
    found.push({ from, to: from + change.to - change.from, before: change.before });
  }
  return found;
}

function replaced(text: string, changes: readonly Change[]): string {
  return changes.reduceRight((whole, { from, to, before }) => `${whole.slice(0, from)}${before}${whole.slice(to)}`, text);
}

/** An installation adds lines, adds commas, and opens empty lists and objects. Returns undefined if the texts differ in anything else. */
function changedLines(before: string, after: string): readonly Change[] | undefined {
  const changes: Change[] = [];
  const given = linesOf(before);
  let [at, next] = [0, 0];
  const add = (length: number, line: string) => {
    const last = changes.at(-1);
    if (last?.to === at) changes[changes.length - 1] = { ...last, to: at + length, before: `${last.before}${line}` };
    else changes.push({ from: at, to: at + length, before: line });
  };
  for (const line of linesOf(after)) {
    const known = given[next];
    const isKnown = known !== undefined && wasLine(line, known);
    if (isKnown) next += 1;
    if (line !== known) add(line.length, isKnown ? known : '');
    at += line.length;
  }
  return next === given.length ? changes : undefined;
}

function wholeChange(before: string, after: string): Change {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: after.length - end, before: before.slice(from, before.length - end) };
}

/** Tests whether a line was this one before: without commas, or with a list or an object that was empty. */
function wasLine(line: string, before: string): boolean {
  const [now, then] = [line, before].map((one) => one.replaceAll(',', '').trimEnd()) as [string, string];
  return now === then || (/[[{]$/.test(now) && then.startsWith(now) && /^\s*[\]}]/.test(then.slice(now.length)));
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

const mostLines = 8;

/** Finds a change in an edited text. As many lines around it are compared as are necessary to find it once. */
function placeIn(text: string, after: string, { from, to }: Change): number | undefined {
  let [start, end] = [from, to];
  for (let lines = 0; lines <= mostLines; lines += 1) {
    const part = after.slice(start, end);
    if (isOnce(part, after)) return isOnce(part, text) ? text.indexOf(part) + from - start : undefined;
    start = start === 0 ? 0 : after.lastIndexOf('\n', start - 2) + 1;
    const lineEnd = after.indexOf('\n', end);
    end = lineEnd < 0 ? after.length : lineEnd + 1;
  }
  return undefined;
}

function isOnce(part: string, text: string): boolean {
  const at = text.indexOf(part);
  return at >= 0 && text.indexOf(part, at + 1) < 0;
}
