/** Programs that read a script whose name may have neither a slash nor an extension. */
const interpreter = /^(?:.*\/)?(?:source|(?:ba|da|k|z|fi)?sh|node|deno|bun|ruby|perl|php|python[\d.]*)$/;

/** The beginning of a word that does not depend on the directory: an absolute path, `~`, a variable or an option. */
const placeless = /^(?:[/\\~$-]|[A-Za-z]:[/\\])/;

/**
 * Tests whether a command may use a path that is relative to its directory. In doubt the result is true: a hook that runs twice does less
 * harm than a guard that does not run.
 */
export function hasRelativePath(command: string): boolean {
  const words = command.split(/[\s"'`|&;()<>{}=,]+/).filter((word) => word !== '');
  return words.some((word, index) => !placeless.test(word) && (/[./\\]/.test(word) || interpreter.test(words[index - 1] ?? '')));
}
