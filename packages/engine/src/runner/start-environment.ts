import { delimiter, isAbsolute } from 'node:path';
import type { HookDefinition, Invocation } from '@tenterhook/protocol';
import { isOfRepository, levelOf } from '@tenterhook/protocol/internal';

type CommandInvocation = Extract<Invocation, { readonly kind: 'command' }>;
type Environment = CommandInvocation['env'];

/**
 * Variables with lists of folders from which programs or modules are loaded. A relative or empty entry in them means the current
 * directory.
 */
const searchPaths: ReadonlySet<string> = new Set([
  'PATH',
  'PYTHONPATH',
  'NODE_PATH',
  'PERL5LIB',
  'RUBYLIB',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
]);

/** The PATH that is used if all entries were removed. With an empty PATH, programs would be searched in the current directory. */
const usualPath = '/usr/local/bin:/usr/bin:/bin';

/** The environment with which the last command of a hook was started, and what it was made from. */
interface LastStart {
  readonly isOfRepository: boolean;
  readonly runsPythonFile: boolean;
  readonly given: Environment;
  readonly started: Environment;
}

const lastStarts = new WeakMap<HookDefinition, LastStart>();

/**
 * Returns the command with the environment in which it is started (`createStart`). Most events have the same environment as the last one.
 * Then it is the same frozen object, so that neither this nor the spawner goes through all variables again. Hooks never share it.
 */
export function withStartEnvironment(invocation: CommandInvocation, hook: HookDefinition): CommandInvocation {
  // The spawner refuses a job without an environment.
  if (typeof invocation.env !== 'object' || invocation.env === null) return invocation;
  const isRepository = isOfRepository(levelOf(hook));
  const runsFile = !isRepository && runsPythonFile(invocation.command);
  let last = lastStarts.get(hook);
  if (
    last === undefined ||
    last.isOfRepository !== isRepository ||
    last.runsPythonFile !== runsFile ||
    !isSameEnvironment(last.given, invocation.env)
  ) {
    const given = Object.freeze({ ...invocation.env });
    const started = isRepository ? given : Object.freeze({ ...createStart(given, runsFile) });
    last = { isOfRepository: isRepository, runsPythonFile: runsFile, given, started };
    lastStarts.set(hook, last);
  }
  return { ...invocation, env: last.started };
}

function isSameEnvironment(one: Environment, other: Environment): boolean {
  let count = 0;
  // Lists of names were rejected: creating them took longer than comparing.
  for (const name in other) {
    if (!Object.hasOwn(other, name) || !Object.hasOwn(one, name) || one[name] !== other[name]) return false;
    count += 1;
  }
  for (const _ in one) count -= 1;
  return count === 0;
}

/**
 * Returns the environment for a hook that does not come from a repository, so that its command loads no program or module from the project
 * directory. Starting the command in another directory was rejected, because every format promises that hooks run in the project
 * directory.
 */
function createStart(given: Environment, runsFile: boolean): Environment {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!searchPaths.has(process.platform === 'win32' ? name.toUpperCase() : name)) env[name] = value;
    else addAbsolute(env, name, value);
  }
  if (env['PYTHONSAFEPATH'] === undefined && !runsFile) env['PYTHONSAFEPATH'] = '1';
  return env;
}

function addAbsolute(env: Record<string, string>, name: string, value: string): void {
  const kept = value.split(delimiter).filter(isAbsolute).join(delimiter);
  if (kept !== '') env[name] = kept;
  else if (name === 'PATH' && process.platform !== 'win32') env[name] = usualPath;
}

/**
 * Whether the command runs a Python file. Python then searches modules in the folder of that file, not in the current directory.
 * PYTHONSAFEPATH would hide modules that the file needs. The result is false if the file is only named in code or in a comment.
 */
function runsPythonFile(command: CommandInvocation['command']): boolean {
  const words = command.kind === 'shell' ? command.text.split(/\s+/) : [command.file, ...command.args];
  return words.some((word) => /\.pyz?(?![\w.-])/.test(word)) && !runsPythonCode(words);
}

/**
 * Whether Python gets its program as text (`-c`), by the name of a module (`-m`) or on stdin. Python then loads modules from the current
 * directory.
 */
function runsPythonCode(words: readonly string[]): boolean {
  return words.some((word, index) => {
    if (!/(?:^|[^\w.-])python[\d.]*["']?$/.test(word)) return false;
    for (let next = index + 1; ; next += 1) {
      const option = words[next]?.replace(/^["']/, '');
      if (option === undefined || !option.startsWith('-')) return option === undefined || option.startsWith('<');
      if (option === '-' || /^-[A-Za-z]*[cm]/.test(option)) return true;
      // The value of each of these two options is a separate word, which is skipped.
      if (option === '-W' || option === '-X') next += 1;
    }
  });
}
