/** Matches one address of a sed command: `1`, `$`, `/a\/b/I`, `1~2`, `+3`. */
const one = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:\\[\s\S]|[^\\/\n])*\/[IM]*)`;
const address = new RegExp(String.raw`${one}(?:[ \t]*,[ \t]*(?:${one}|[+~]\d+))?[ \t]*`, 'y');
/** The commands of sed that run nothing and name no file. Other commands, such as `e`, `w` and `r`, may run a program or name a file. */
const commands = [
  /[dDgGhHxnNpPlF=z]/y,
  /[qQ][ \t]*\d*/y,
  /[btT][ \t]*\w*/y,
  /:[ \t]*\w+/y,
  /s([^\\\n\w\s])(?:\\[\s\S]|(?!\1)[^\\])*\1(?:\\[\s\S]|(?!\1)[^\\])*\1[gpiIMm\d]*/y,
  /y([^\\\n\w\s])(?:\\[\s\S]|(?!\1)[^\\])*\1(?:\\[\s\S]|(?!\1)[^\\])*\1/y,
  /[aic](?:\\\n)?[^\\\n]+/y,
];

/**
 * Tests whether a sed program has only commands that run nothing. A list of unsafe commands was rejected, because GNU sed accepts its
 * command `e` in too many ways: after any address, after `s`, alone.
 */
export function isPlainSedProgram(program: string): boolean {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const length = pattern.exec(program)?.[0].length ?? 0;
    at += length;
    return length > 0;
  };
  for (;;) {
    skip(/(?:[\s;}]|#[^\n]*)*/y);
    if (at === program.length) return true;
    skip(address);
    skip(/![! \t]*/y);
    if (skip(/\{/y)) continue;
    if (!commands.some(skip) || !/^[ \t]*(?:[;}#\n]|$)/.test(program.slice(at, at + 100))) return false;
  }
}
