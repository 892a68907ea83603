import { isSameJson } from '@tenterhook/runtime/json';

/**
 * What a hook returned without the fields that are as it was shown them: a hook that changes one field and prints the whole object has
 * written that one. Side by side with another hook it would else undo what the other changed.
 */
export function writtenFields<Fields extends object>(returned: Fields, shown: object | undefined): Fields {
  const now = returned as Readonly<Record<string, unknown>>;
  const old = (shown ?? {}) as Readonly<Record<string, unknown>>;
  const handedBack = Object.keys(old).filter((field) => Object.hasOwn(now, field) && isSameJson(now[field], old[field]));
  if (handedBack.length === 0) return returned;
  const written: Record<string, unknown> = { ...now };
  for (const field of handedBack) delete written[field];
  return written as Fields;
}
