import type { ProcessJob } from '../job.js';
import { calledProgram, quote } from './shell-words.js';

/**
 * Returns the text that a lane evaluates before the command of a job: it changes the directory, exports the environment, and puts the
 * command into a variable.
 *
 * Bash sets three variables when it starts, and a lane must set them as `bash -c` would do: PWD is the working directory, without symbolic
 * links unless the environment already names it; OLDPWD is unset; SHLVL is one higher than in the environment.
 *
 * `locale` has the variables of the locale with which the lane was started. Those with the same value are not assigned again, because bash
 * then reads about 15 files.
 */
export function setupText(text: string, { cwd, env }: Pick<ProcessJob, 'cwd' | 'env'>, locale: Readonly<Record<string, string>>): string {
  const { PWD, OLDPWD, SHLVL, _, ...rest } = env;
  const exports = Object.entries(rest).flatMap(([name, value]) => (locale[name] === value ? [] : `${name}=${quote(value)}`));
  const unset = Object.keys(locale).filter((name) => env[name] === undefined);
  const enter = `cd ${PWD === cwd ? '-L' : '-P'} -- ${quote(cwd)}`;
  const old = OLDPWD === undefined ? 'unset OLDPWD' : `export OLDPWD=${quote(OLDPWD)}`;
  const others = unset.length === 0 ? old : `${old} && unset ${unset.join(' ')}`;
  return `${enter} && ${others} && export ${exports.join(' ')} SHLVL=${levelOf(SHLVL) + 1} && ${commandText(text, env, levelOf(SHLVL))}\n`;
}

/**
 * `bash -c` executes a single program in its own process, and restores SHLVL before. `eval` would fork once more, so the command gets `exec`. If the program does not
 * exist, the command stays as it is, because the message of `exec` differs.
 */
function commandText(text: string, env: ProcessJob['env'], level: number): string {
  const program = calledProgram(text, env);
  const plain = `__th_c=${quote(text)}`;
  if (program === undefined) return plain;
  const exists = program.includes('/') ? `[[ -f ${quote(program)} && -x ${quote(program)} ]]` : `hash -- ${quote(program)} 2>/dev/null`;
  return `if ${exists}; then SHLVL=${level} __th_c=${quote(`exec ${text}`)}; else ${plain}; fi`;
}

function levelOf(text: string | undefined): number {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : 0;
}
