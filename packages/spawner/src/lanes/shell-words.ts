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

/** Variables that bash sets when it starts, so their values in the environment do not count. */
const setByBash = new Set(['PWD', 'OLDPWD', 'SHLVL', '_']);

/** A part of a word: plain characters, a quoted text, or a variable. In a text with double quotes, only variables are expanded. */
const part = /([\w@%+=:,./-]+)|'([^']*)'|"((?:[^"\\$`]|\$\{?[A-Za-z_])*)"|\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y;
const variables = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|)/g;
const blanks = /[ \t]+|$/y;

/**
 * Returns the program that a text calls, if the text is a single call, e.g. `./check.sh --strict` or `"$CLAUDE_PROJECT_DIR"/check.sh`.
 * Variables have their values from `env`. Returns undefined for everything that is not certain.
 */
export function calledProgram(text: string, env: Readonly<Record<string, string>>): string | undefined {
  const line = text.trim();
  const plainName = /^[^\s=]*/.exec(line)?.[0].length ?? 0;
  // An assignment such as `A=1 program`.
  if (line[plainName] === '=') return undefined;
  let first: string | undefined;
  for (let at = 0; at < line.length; ) {
    const start = at;
    let word = '';
    for (let found = matchAt(part, line, at); found !== null; found = matchAt(part, line, at)) {
      const value = expandPart(found, env);
      if (value === undefined) return undefined;
      word += value;
      at = part.lastIndex;
    }
    if (at === start || matchAt(blanks, line, at) === null) return undefined;
    at = blanks.lastIndex;
    first ??= word;
  }
  return first !== undefined && /^[\w./]/.test(first) && !ownWords.has(first) ? first : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the value of a part, or undefined if the shell might split or expand it further. */
function expandPart([, plain, single, double, name, braced]: RegExpExecArray, env: Readonly<Record<string, string>>): string | undefined {
  if (plain !== undefined || single !== undefined) return plain ?? single;
  if (double === undefined) {
    const value = variable(name ?? braced ?? '', env);
    return value !== undefined && /^[\w@%+=:,./-]+$/.test(value) ? value : undefined;
  }
  let isCertain = true;
  const value = double.replace(variables, (_, plainName?: string, bracedName?: string) => {
    const found = variable(plainName ?? bracedName ?? '', env);
    isCertain &&= found !== undefined;
    return found ?? '';
  });
  return isCertain ? value : undefined;
}

function variable(name: string, env: Readonly<Record<string, string>>): string | undefined {
  return setByBash.has(name) || !Object.hasOwn(env, name) ? undefined : env[name];
}
