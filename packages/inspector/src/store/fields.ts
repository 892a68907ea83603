import { isPlainObject } from '@tenterhook/runtime/json';

/** A part of a message. Messages come from a file or from another process, so each field may have any type. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return isPlainObject(value) ? value : {};
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The result of a response: its output, or the outcomes so far of one that failed. */
export function resultOfResponse(payload: Fields): Fields {
  return isPlainObject(payload['output']) ? payload['output'] : fieldsOf(fieldsOf(payload['error'])['details']);
}

/** Whether a hook ran. One that never started, because its event was cancelled, did not. */
export function hasRun(outcome: Fields): boolean {
  return outcome['status'] !== 'skipped' && !listOf(outcome['warnings']).some(({ code }) => code === 'not_started');
}
