import { unquotedUses } from '@tenterhook/dialects/internal';

/** Without braces: with them nothing is filled in, the shell expands it everywhere. */
const uses = /(?<!\$)\$(\w+)/g;

/**
 * A command in which a shell keeps every `$NAME` of these variables in one word: for agents that fill a path in as quoted text, so that without
 * quotes it works there, and elsewhere a blank in the path splits it. Undefined where quotes could be text: in a here-document.
 */
export function quotedVariables(command: string, names: readonly string[]): string | undefined {
  const mark = unusedMark(command);
  const marks: string[] = [];
  // Each use has a name of its own while it is looked for, so that the answer tells which of them stand without quotes.
  const marked = command.replace(uses, (use: string, name: string) =>
    names.includes(name) ? `$${marks[marks.push(`${name}${mark}${marks.length}`) - 1]}` : use,
  );
  const split = new Set(unquotedUses(marked, marks));
  if (split.size === 0) return command;
  if (/(?<!<)<<(?!<)/.test(command)) return undefined;
  let index = 0;
  return command.replace(uses, (use: string, name: string) =>
    names.includes(name) && split.has(marks[index++] as string) ? `"${use}"` : use,
  );
}

function unusedMark(command: string): string {
  let mark = '_use';
  while (command.includes(mark)) mark = `${mark}_`;
  return mark;
}
