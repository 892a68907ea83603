import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { CodexEvent } from '../input/event-table.js';

/** The parts of a hook that its hash covers. */
export interface HashedHook {
  readonly event: CodexEvent;
  /** The matcher as written. */
  readonly matcher?: string | undefined;
  /** The fields of the hook, with the defaults filled in. A field that is undefined is left out. */
  readonly handler: Readonly<Record<string, unknown>>;
}

/** The events whose hash never has a matcher. */
const withoutMatcher: ReadonlySet<CodexEvent> = new Set(['UserPromptSubmit', 'Stop']);

/** Returns the hash with which Codex recognises a definition that its user has reviewed: SHA-256 of JSON with sorted keys. */
export function hashOfDefinition({ event, matcher, handler }: HashedHook): string {
  const definition = {
    event_name: toSnakeCase(event),
    hooks: [handler],
    ...(matcher === undefined || withoutMatcher.has(event) ? {} : { matcher }),
  };
  return `sha256:${bytesToHex(sha256(utf8ToBytes(sortedJson(definition))))}`;
}

/** Returns the name of an event as it is in hashes and in keys of `hooks.state`. */
export function toSnakeCase(event: CodexEvent): string {
  return event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}:${sortedJson(inner)}`).join(',')}}`;
}
