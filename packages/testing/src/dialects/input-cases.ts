import { eventEntry } from '@tenterhook/protocol';
import type { DialectCase, DialectEvent, DialectScene } from './dialect-case.js';
import { fieldsOn, sampleEvent } from './samples.js';

type Fields = Readonly<Record<string, unknown>>;

export const inputCases: readonly DialectCase[] = [
  {
    title: 'readInput() turns what writeInput() wrote, and canonical fields, into an event that can be fired',
    run: (scene) => {
      for (const event of scene.events) {
        const sample = sampleEvent(event.eventName, fieldsOn(scene.options, event));
        const { dialect, violations } = scene;
        const done = `writeInput() of ${event.dialectEvent}`;
        const written =
          dialect.writeInput === undefined
            ? sample.input
            : violations.pure(done, () => dialect.writeInput?.(event.dialectEvent, sample))?.value;
        if (written !== undefined) requireEvent(scene, event, written, 'what writeInput() wrote');
        requireEvent(scene, event, sample.input, 'canonical fields');
      }
    },
  },
];

/** Requires that the input is valid after the system has filled in its fields. */
function requireEvent(
  { dialect, violations }: DialectScene,
  { eventName, dialectEvent }: DialectEvent,
  fields: Fields,
  what: string,
): void {
  const done = `readInput() of ${what}, ${dialectEvent}`;
  const read =
    dialect.readInput === undefined
      ? { input: fields, defaults: {} }
      : violations.pure(done, () => dialect.readInput?.(dialectEvent, fields))?.value;
  if (read === undefined) return;
  const complete = { ...sampleEvent(eventName, {}).input, ...read.defaults, ...read.input };
  const { success, error } = eventEntry(eventName).input.safeParse(complete);
  violations.require(success, done, error?.issues, `a valid input of ${eventName}`);
}
