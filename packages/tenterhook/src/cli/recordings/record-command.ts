import { accessSync, constants as fsConstants, lstatSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { RecordingError, readRecording } from '@tenterhook/recording';
import { completeRecording } from '@tenterhook/recording/internal';
import { describeThrown } from '@tenterhook/runtime/text';
import { runAttached } from '@tenterhook/spawner/internal';
import { recordVariable, type VariableOptions } from '../../record/record-options.js';
import { type CommandContext, printError } from '../context.js';
import { CommandError } from '../errors/exit-status.js';
import { type RecordedBefore, type RecordingPlan, readBefore, reportRecorded, sizesOf } from './recording-plan.js';

/** Runs a command whose agent records itself, because of an environment variable. Resolves to the exit status of the command. */
export async function recordCommand(
  [program = '', ...args]: readonly string[],
  plan: RecordingPlan,
  context: CommandContext,
): Promise<number> {
  const { file, append } = plan;
  requireDirectory(dirname(file), fsConstants.F_OK);
  const isNew = !exists(file);
  // The agent would refuse the file too, and go on without a recording.
  if (!append && !isNew) {
    throw new RecordingError('file_exists', `${file} exists, and a recording does not overwrite a file. Pass another path, or --append.`);
  }
  if (isNew) requireDirectory(dirname(file), fsConstants.W_OK);
  const before = await readBefore(plan);
  const env = { ...definedOf(context.env), [recordVariable]: variableOf(plan) };
  const ended = await runAttached({ file: program, args, cwd: context.cwd, env });
  if ('error' in ended) {
    const message = `${program} cannot be started: ${describeThrown(ended.error)}. Check the command after --.`;
    throw new CommandError({ code: 'invalid_request', message });
  }
  if (!exists(file) || !(await finish(plan, before, context))) {
    printError(context, 'warning: nothing was recorded: the command has not called createHooks(), or could not write the file.');
  }
  return ended.exitCode ?? 128 + (constants.signals[ended.signal ?? 'SIGKILL'] ?? 0);
}

/**
 * Completes the recording of an agent that was ended by a signal, and reports what was added. Changes nothing about the exit status. Resolves
 * to whether the command has recorded something.
 */
async function finish({ file }: RecordingPlan, before: RecordedBefore, context: CommandContext): Promise<boolean> {
  try {
    const recording = await readRecording(file);
    if (sizesOf(recording) === before.sizes) return false;
    if (recording.problems.some(({ code }) => code === 'interrupted')) completeRecording(file, recording);
    await reportRecorded(file, before, context);
    return true;
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    printError(context, `warning: ${error.message}`);
    return true;
  }
}

/** Without it, the agent would run for nothing. */
function requireDirectory(directory: string, mode: number): void {
  try {
    // With the dot, a path to a file is refused, too.
    accessSync(`${directory}/.`, mode);
  } catch (error) {
    const reason = `the recording cannot be written to this directory: ${describeThrown(error)}`;
    throw new RecordingError('unwritable', `${directory}: ${reason}. Create the directory, or pass another path with --to.`);
  }
}

/** The file, or JSON if there is more to say. Secrets are named: the command inherits their values. */
function variableOf({ file, append, mask, secrets }: RecordingPlan): string {
  const names = Object.keys(secrets);
  if (!append && mask && names.length === 0) return file;
  return JSON.stringify({ file, append, mask, secrets: names } satisfies VariableOptions);
}

function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function definedOf(env: CommandContext['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
