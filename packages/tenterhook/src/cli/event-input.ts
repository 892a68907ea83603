import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Dialect } from '@tenterhook/protocol';
import { type CommandContext, resolvePath } from './context.js';
import { UsageError } from './exit-status.js';

/** The value of `--input`: JSON, `@file`, or `-` for standard input. Any JSON passes; the service decides whether it is an event. */
export async function readInput(value: string | undefined, context: CommandContext): Promise<unknown> {
  if (value === undefined) return {};
  const source = await readSource(value, context);
  try {
    return JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(
      `--input is not valid JSON: ${(error as Error).message}. Pass an object such as '{"tool_name":"write_file","tool_input":{}}', @file, or - for standard input.`,
    );
  }
}

async function readSource(value: string, context: CommandContext): Promise<string> {
  if (value === '-') return text(context.stdin);
  if (!value.startsWith('@')) return value;
  const file = value.slice(1);
  try {
    return readFileSync(resolvePath(context, file), 'utf8');
  } catch (error) {
    throw new UsageError(`--input ${value}: ${(error as Error).message}`);
  }
}

/** The canonical name of an event that may be written as the dialect writes it; an unknown name is returned unchanged. */
export function canonicalEventName(name: string, dialect: Dialect | undefined): string {
  const own = dialect?.events ?? {};
  return Object.hasOwn(own, name) ? (own[name] as string) : name;
}
