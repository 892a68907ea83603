import type { ProcessJob } from '../job.js';
import { calledProgram, quote } from './shell-words.js';

/** The parts of a job that its setup contains. `env` is without the variable of the job ids. */
export interface SetupOf {
  readonly text: string;
  readonly cwd: string;
  readonly env: ProcessJob['env'];
  /**
   * The variables of the locale with which the lane was started. Those with the same value are not assigned again, because bash then reads
   * about 15 files.
   */
  readonly locale: Readonly<Record<string, string>>;
}

/** The text that prepares a job, and whether the job is a call of one program. */
export interface Setup {
  readonly text: string;
  readonly isCall: boolean;
}

/**
 * Returns the text that a lane evaluates before the command of a job: it changes the directory, exports the environment, and puts the
 * command into a variable, a call of one program into an array of its words.
 *
 * Bash sets three variables when it starts, and a lane must set them as `bash -c` would do: PWD is the working directory, without symbolic
 * links unless the environment names the same directory; OLDPWD is exported, and unset unless it is a directory; SHLVL is one higher than in
 * the environment. It also drops the prompts PS1 and PS2.
 */
export function createSetup({ text, cwd, env, locale }: SetupOf): Setup {
  const { PWD, OLDPWD, SHLVL, PS1: _1, PS2: _2, _, ...rest } = env;
  const exports = Object.entries(rest).flatMap(([name, value]) => (locale[name] === value ? [] : `${name}=${quote(value)}`));
  const unset = Object.keys(locale).filter((name) => env[name] === undefined);
  const old = OLDPWD === undefined ? '' : `[[ -d ${quote(OLDPWD)} ]] && OLDPWD=${quote(OLDPWD)}; `;
  const others = unset.length === 0 ? '' : `unset ${unset.join(' ')}; `;
  const isCall = calledProgram(text, env) !== undefined;
  const command = isCall ? `__th_v=(${text})` : `__th_c=${quote(text)}`;
  const level = SHLVL ? Number(SHLVL) : 0;
  const setup = `${enterText(cwd, PWD)} && { unset OLDPWD; export OLDPWD; ${old}${others}export ${exports.join(' ')} SHLVL=${level + 1}; } && ${command}`;
  return { text: setup, isCall };
}

function enterText(cwd: string, pwd: string | undefined): string {
  const enter = `cd -P -- ${quote(cwd)}`;
  if (pwd === cwd) return `cd -L -- ${quote(cwd)}`;
  return pwd?.startsWith('/') ? `${enter} && { [[ ! ${quote(pwd)} -ef . ]] || cd -L -- ${quote(pwd)}; }` : enter;
}

/** The maximum number of remembered texts. An agent has a few hooks with one environment each. */
const mostRemembered = 32;

/**
 * Remembers setups, because quoting an environment takes longer than comparing it, and most jobs of a hook have the same one. The texts may
 * contain secrets of the environment, as the environment of our own process does.
 */
export class SetupTexts {
  readonly #remembered = new Map<string, { readonly of: SetupOf; readonly setup: Setup }>();

  read(of: SetupOf): Setup {
    const key = `${of.cwd}\0${of.text}`;
    const known = this.#remembered.get(key);
    if (known !== undefined && known.of.locale === of.locale && (known.of.env === of.env || isEqual(known.of.env, of.env)))
      return known.setup;
    const setup = createSetup(of);
    this.#remembered.delete(key);
    // The caller may change its environment before the next job.
    this.#remembered.set(key, { of: Object.isFrozen(of.env) ? of : { ...of, env: { ...of.env } }, setup });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > mostRemembered && oldest !== undefined) this.#remembered.delete(oldest);
    return setup;
  }
}

function isEqual(one: ProcessJob['env'], other: ProcessJob['env']): boolean {
  let count = 0;
  for (const name in one) {
    if (one[name] !== other[name]) return false;
    count += 1;
  }
  for (const _ in other) count -= 1;
  return count === 0;
}
