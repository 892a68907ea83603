import { describeHook, type HookDefinition, type HookWarning } from '@tenterhook/protocol';
import { formatValue } from '../../text.js';
import type { AnswerFormat } from '../answer-format.js';
import { findForeignDecision } from '../foreign-decision.js';
import { findJsonObjects } from '../json/json-objects.js';
import type { Exited } from './command-failure.js';

/**
 * The maximum number of characters of stderr that are searched. An answer is short. Only the first error message of a shell is
 * needed, because it names the cause.
 */
const maxSearched = 65_536;

/**
 * Returns a warning for a hook that printed a deny, ask or stop to stderr, which is only a log. An allow is not reported: ignoring
 * it does no harm, and logs often contain the word.
 */
export function objectionOnStderr({ stderr }: Exited, { words }: AnswerFormat): HookWarning | undefined {
  const searched = stderr.slice(0, maxSearched);
  if (!searched.includes('{')) return undefined;
  const { objects } = findJsonObjects(searched, words, 'stderr');
  const answer = objects.find((object) => words.objectionsOf(object).length > 0 || findForeignDecision(object) !== undefined);
  if (answer === undefined) return undefined;
  const message = `The hook printed a decision to stderr (${formatValue(answer)}); it is ignored, because stderr is a log. Print it to stdout.`;
  return { code: 'decision_on_stderr', message };
}

/**
 * Matches the message of a shell with a line number: `./guard.sh: line 3: jq: command not found`, or in dash `./guard.sh: 3: [[:
 * not found`.
 */
const notFound = /^([^\n:]{1,300}): (?:line )?(\d{1,9}): ([^\n:]{1,100}): (?:command )?not found$/gm;

/** Commands of bash that the shell at /bin/sh may lack. */
const bashCommands: ReadonlySet<string> = new Set([
  '[[',
  'declare',
  'function',
  'mapfile',
  'pushd',
  'popd',
  'readarray',
  'shopt',
  'source',
]);

/**
 * Returns a warning for a script that exited with 0 although a command in it was not found. For example, a guard that uses `jq`
 * allows everything if `jq` is not installed. Messages without a line number are ignored, because a log may contain the same words.
 * A command whose failure the hook ignores explicitly is not reported: `notify-send done || true`.
 */
export function scriptComplaint({ stderr }: Exited, hook: HookDefinition): HookWarning | undefined {
  const messages = stderr.slice(0, maxSearched).replaceAll('\r', '').matchAll(notFound);
  for (const [, speaker = '', line, command = ''] of messages) {
    const isOfShell = /^(?:\/\S*\/)?[a-z]*sh$/.test(speaker);
    const text = isOfShell && hook.action.kind === 'command' ? hook.action.command : '';
    if (!ignoresFailure(text, command)) return toComplaint(command, isOfShell ? 'by the shell' : `in line ${line} of ${speaker}`, hook);
  }
  return undefined;
}

function toComplaint(command: string, where: string, hook: HookDefinition): HookWarning {
  const remedy = bashCommands.has(command)
    ? `"${command}" is a command of bash: begin the script with #!/bin/bash, and do not run it with sh.`
    : `Install ${command}, or add its folder to PATH.`;
  const message = `${describeHook(hook)} exited with 0, although "${command}" was not found ${where}. ${remedy}`;
  return { code: 'missing_command', message };
}

/**
 * Tests whether `|| true` or `|| :` follows every use of a command in a shell text. A use in a pipe, in `$(…)` or in backquotes
 * makes the result false, because the hook may decide by what the command prints.
 */
function ignoresFailure(text: string, command: string): boolean {
  const uses = text.split(command).length - 1;
  const ignored = text.split(/;|\n|&&/).flatMap((list) => {
    const commands = list.split('||').map((each) => each.trim());
    return commands.filter((each, index) => {
      const isPlain = (each === command || each.startsWith(`${command} `)) && !/[|`(]/.test(each);
      return isPlain && /^(?:true|:)(?:\s|$)/.test(commands[index + 1] ?? '');
    });
  });
  return uses > 0 && ignored.length === uses;
}
