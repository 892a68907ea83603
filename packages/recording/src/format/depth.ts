/**
 * The maximum number of levels of a message. JSON of any depth can be read, and then whatever walks through it would fill the stack. Beyond it,
 * a recorder writes the note `unwritable`, and a reader reports the line. The page of the inspector shows as many levels.
 */
export const mostLevels = 500;
const [openBrace, openBracket] = [...'{['].map((character) => character.charCodeAt(0));

/** Tests whether a value is nested too deeply. `json` is its JSON, which is searched first: most messages are short, or have few objects. */
export function isTooDeep(value: unknown, json: string): boolean {
  return hasManyBrackets(json) && hasMoreLevels(value, mostLevels);
}

function hasManyBrackets(json: string): boolean {
  let brackets = 0;
  for (let index = 0; index < json.length && json.length > 2 * mostLevels; index += 1) {
    const code = json.charCodeAt(index);
    if (code === openBrace || code === openBracket) brackets += 1;
    if (brackets > mostLevels) return true;
  }
  return false;
}

/** Tests whether objects and lists are nested in more levels than `most`. */
export function hasMoreLevels(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((item) => hasMoreLevels(item, most - 1));
}
