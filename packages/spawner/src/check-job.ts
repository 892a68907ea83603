import { describeValue, longestTimerMs, mostBytes, requireInteger, requireNumber } from './limits.js';
import type { ProcessJob } from './job.js';

/** Throws a TypeError for what only a programming error can cause. What a settings file or a machine can cause is `spawn-failed` (see `findInvalidInput`). */
export function checkJob(job: ProcessJob): void {
  requireNumber('timeoutMs', job.timeoutMs, 1, longestTimerMs);
  if (job.killGraceMs !== undefined) requireNumber('killGraceMs', job.killGraceMs, 0, longestTimerMs);
  if (job.stdoutBytes !== undefined) requireInteger('stdoutBytes', job.stdoutBytes, 0, mostBytes);
  if (job.stderrBytes !== undefined) requireInteger('stderrBytes', job.stderrBytes, 0, mostBytes);
  requireText('cwd', job.cwd);
  requireText('stdin', job.stdin);
  if (typeof job.env !== 'object' || job.env === null) throw new TypeError(`env must be an object, not ${describeValue(job.env)}`);
  checkCommand(job.command);
}

function checkCommand(command: ProcessJob['command']): void {
  switch (command?.kind) {
    case 'shell':
      requireText('command.text', command.text);
      return;
    case 'program':
      requireText('command.file', command.file);
      if (!Array.isArray(command.args)) throw new TypeError(`command.args must be an array, not ${describeValue(command.args)}`);
      command.args.forEach((arg, index) => {
        requireText(`command.args[${index}]`, arg);
      });
      return;
    default:
      throw new TypeError(`command.kind must be "shell" or "program", not ${describeValue((command as { kind?: unknown })?.kind)}`);
  }
}

function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string, not ${describeValue(value)}`);
}

/**
 * What no kernel can take: a NUL byte ends a C string, an environment value is text. Names are told, environment values never: they are secrets.
 * Node throws for the first and runs with "undefined" or without the variable for the second.
 */
export function findInvalidInput(job: ProcessJob): string | undefined {
  const { command, cwd, env } = job;
  if (cwd.includes('\0')) return 'the working directory holds a NUL byte: remove it';
  if (command.kind === 'shell') {
    if (command.text.includes('\0')) return 'the command holds a NUL byte: remove it, or write \\0 for a program that reads escapes';
  } else {
    if (command.file === '') return 'the name of the program is empty: name one';
    const place = [command.file, ...command.args].findIndex((text) => text.includes('\0'));
    if (place >= 0) return `${place === 0 ? 'the name of the program' : `argument ${place}`} holds a NUL byte: remove it`;
  }
  for (const [name, value] of Object.entries(env) as [string, unknown][]) {
    if (name.includes('\0')) return `the environment variable ${JSON.stringify(name)} has a NUL byte in its name: remove it`;
    if (typeof value !== 'string')
      return `the environment variable ${name} is no string but ${typeof value}: write a string, or leave it out`;
    if (value.includes('\0')) return `the value of the environment variable ${name} holds a NUL byte: remove it`;
  }
  return undefined;
}
