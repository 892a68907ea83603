import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Dialect } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { type CommandContext, resolvePath } from '../context.js';
import { UsageError } from '../errors/exit-status.js';

/**
 * Reads the value of `--input`: JSON, `@file`, or `-` for standard input. Accepts any JSON. The hook service checks whether it is an event.
 */
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
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? 'The file does not exist' : `The file cannot be read: ${message}`;
    throw new UsageError(`--input ${value}: ${problem}. Pass the path of a file that contains the fields of the event as JSON.`);
  }
}

/** An event that the command line names, converted to canonical names. */
export interface EventAsked {
  /** The name that the user wrote. */
  readonly asked: string;
  /** The canonical name. If there is no such event, the name that the user wrote. */
  readonly eventName: string;
  readonly input: unknown;
  /** `input`, with defaults for the fields that the agent does not send. */
  readonly complete: unknown;
}

/**
 * Reads an event from the command line. With `dialect`, the event's name and fields may be those that this dialect's agent passes to its
 * hooks. Otherwise they are canonical. `formats` are the dialects that have settings: a field gets a default if the agent of one of them
 * does not send it.
 */
export function readEvent(asked: string, input: unknown, dialect: Dialect | undefined, formats: readonly Dialect[] = []): EventAsked {
  if (dialect === undefined && isPlainObject(input))
    return {
      asked,
      eventName: asked,
      input,
      complete: { ...Object.assign({}, ...formats.map((each) => defaultsOf(asked, each))), ...input },
    };
  const own = dialect?.events ?? {};
  const eventName = Object.hasOwn(own, asked) ? (own[asked] as string) : asked;
  const dialectEvent = Object.hasOwn(own, asked) ? asked : Object.keys(own).find((each) => own[each] === asked);
  if (dialect?.readInput === undefined || dialectEvent === undefined || !isPlainObject(input))
    return { asked, eventName, input, complete: input };
  const read = dialect.readInput(dialectEvent, input);
  return { asked, eventName, input: read.input, complete: { ...read.defaults, ...read.input } };
}

/** Returns the defaults of the fields that a dialect's agent does not send on a canonical event. */
function defaultsOf(eventName: string, { events = {}, readInput }: Dialect): Readonly<Record<string, unknown>> {
  const own = Object.keys(events).filter((name) => events[name] === eventName);
  // Two events of the agent may map to one canonical event. Then there are no defaults, because the defaults of one event would be wrong
  // for the other.
  const [name] = own;
  return own.length !== 1 || name === undefined ? {} : (readInput?.(name, {}).defaults ?? {});
}
