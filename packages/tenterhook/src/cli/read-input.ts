import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { UsageError } from './exit-status.js';

/** The value of `--input`: JSON, `@file`, or `-` for standard input. Any JSON passes; whether it is an event is for the service to say. */
export async function readInput(value: string | undefined): Promise<unknown> {
  if (value === undefined) return {};
  const source = await sourceOf(value);
  try {
    return JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(
      `--input is not JSON: ${(error as Error).message}. Give an object such as '{"tool_name":"write_file","tool_input":{}}', @file, or - for standard input.`,
    );
  }
}

async function sourceOf(value: string): Promise<string> {
  if (value === '-') return text(process.stdin);
  if (!value.startsWith('@')) return value;
  const file = value.slice(1);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--input ${value}: ${(error as Error).message}`);
  }
}
