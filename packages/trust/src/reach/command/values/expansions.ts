import { dirname } from 'node:path';
import { commandsIn } from '@tenterhook/runtime/shell';

/** Returns the value of a shell expansion (`$NAME`, `${…}`, `$(…)`, `~`), or undefined if it is unknown. */
export type Expand = (written: string) => string | undefined;

/** The paths that a script can ask the shell for. They are absent for the command of a hook, where `$0` is the shell. */
export interface ScriptPaths {
  /** `$0`: the script that was started. */
  readonly zero?: string | undefined;
  /** `$BASH_SOURCE`: the script that is read, which another one may have sourced. */
  readonly source?: string | undefined;
}

/**
 * Returns a function for the expansions that can be computed without running anything. These are variables, the path of the script, and
 * usual ways to write the folder of the script.
 */
export function createExpand(variables: Readonly<Record<string, string>>, { zero, source }: ScriptPaths): Expand {
  const variable = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  // Keeps the values that were found. Without this, a substitution inside of others would be evaluated again at each level, and the time
  // would double with each level.
  const values = new Map<string, string | undefined>();
  const expand: Expand = (written) => {
    if (written === '~') return variable('HOME');
    if (/^\$(?:0|\{0\})$/.test(written)) return zero;
    if (/^\$(?:BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})$/.test(written)) return source;
    const name = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/.exec(written);
    if (name !== null) return variable((name[1] ?? name[2]) as string);
    const folder = /^\$\{([A-Za-z_]\w*(?:\[0\])?|0)%\/\*\}$/.exec(written);
    if (folder !== null) {
      const path = expand(`\${${folder[1]}}`);
      return path?.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path;
    }
    // In `${NAME:-default}`, the default is ignored if the variable has a value.
    const [, named = '', ending = ''] = /^\$\{([A-Za-z_]\w*)(:?-(?:[^}$`]|\$\w)*|%\/)\}$/.exec(written) ?? [];
    const value = variable(named);
    if (ending !== '') return value === '' ? undefined : ending === '%/' ? value?.replace(/\/$/, '') : value;
    const inner = /^\$\(([\s\S]*)\)$/.exec(written)?.[1] ?? /^`([\s\S]*)`$/.exec(written)?.[1];
    if (inner === undefined || inner.length > 300) return undefined;
    if (!values.has(written)) values.set(written, valueOfCommand(inner, expand));
    return values.get(written);
  };
  return expand;
}

/** Returns the value of `pwd`, `dirname "$0"`, `cd "$(dirname "$0")" && pwd`, `realpath "$0"` and `readlink -f "$0"`. */
function valueOfCommand(text: string, expand: Expand): string | undefined {
  const read = commandsIn(text, { expand });
  // Commands of inner substitutions come first in the list. Only the last command is used, because its words already contain the values
  // of the inner ones.
  const commands = read?.commands.map((words) => ({ texts: words.map((word) => word.text), isOpen: words.some((word) => word.isOpen) }));
  const last = commands?.at(-1);
  if (last === undefined || last.isOpen || /[|;\n]/.test(text)) return undefined;
  const [program, ...rest] = last.texts.filter((word) => word !== '--');
  if (program === 'pwd' && rest.every((word) => /^-[LP]$/.test(word))) {
    if (commands?.length === 1 && /^\s*pwd(?:\s+-[LP])?\s*$/.test(text)) return expand('$PWD');
    const cd = commands?.at(-2);
    const [name, target, ...more] = (cd?.texts ?? []).filter((word) => !/^-[LP-]+$/.test(word));
    const isPlain = /^\s*(?:CDPATH= *)?cd\s/.test(text) && /&&\s*pwd(?:\s+-[LP])?\s*$/.test(text) && text.split('&&').length === 2;
    return isPlain && name === 'cd' && cd?.isOpen === false && more.length === 0 && target?.startsWith('/') ? target : undefined;
  }
  if ((read?.redirections.length ?? 0) > 0 || text.includes('&&') || text.includes('||')) return undefined;
  if (program === 'dirname' && rest.length === 1) return dirname(rest[0] as string);
  const path = rest.at(-1);
  const isWhole = (program === 'realpath' && rest.length === 1) || (program === 'readlink' && rest.length === 2 && rest[0] === '-f');
  return isWhole && path?.startsWith('/') ? path : undefined;
}
