/** Returns the value as one word of a shell. */
export function quote(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** Words that bash itself runs, or that begin a construct of its grammar. With `exec`, bash would look for a program of this name. */
const ownWords = new Set(
  `! [ [[ . : alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs disown do done
  echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local logout
  mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap true type
  typeset ulimit umask unalias unset until wait while`.split(/\s+/),
);

/**
 * Returns the program that a text calls, if the text is a single call with plain words, e.g. `./hooks/check.sh --strict`. Returns undefined
 * for anything that the shell would expand, and for everything that is not certain.
 */
export function calledProgram(text: string): string | undefined {
  if (!/^[\w@%+=:,./ -]+$/.test(text)) return undefined;
  const [first = ''] = text.trim().split(/ +/);
  return /^[\w./]/.test(first) && !first.includes('=') && !ownWords.has(first) ? first : undefined;
}
