import { type Random, randomFor } from './random.js';
import { type EventInput, makeInput, type SoakEvent, soakEvents } from './soak-event.js';

/** The ways to send an event, with the weight of each. */
const scenarios = {
  fire: 30,
  'fire, aborted': 10,
  'fire, timed out': 8,
  'fire, aborted before': 2,
  request: 12,
  'request, aborted': 6,
  'request, timed out': 6,
  'request, cancelled by message': 6,
  stream: 5,
  'stream, unsubscribed': 6,
  'stream, unsubscribed at the first start': 4,
  published: 4,
  'in a directory that is not there': 3,
  'invalid input': 4,
  'unknown event': 2,
  malformed: 4,
  'twice under one id': 2,
  'cancel of nothing': 2,
  'many at once': 0.4,
  'too many at once': 0.05,
} as const;

export type Scenario = keyof typeof scenarios;

/** What happens to the settings during an event. */
export type Reload = 'none' | 'new settings' | 'the same again' | 'a broken file';

const reloads = { none: 97, 'new settings': 1.5, 'the same again': 1, 'a broken file': 0.5 } as const satisfies Record<Reload, number>;

/** Everything that the seed chooses about one event. The timing depends on the machine. */
export interface EventPlan {
  readonly number: number;
  readonly eventName: SoakEvent;
  readonly scenario: Scenario;
  readonly input: EventInput;
  readonly reload: Reload;
  /** The time in milliseconds after which the event is ended early, in scenarios that do so. */
  readonly cutMs: number;
  readonly random: Random;
}

export function planEvent(seed: number, number: number): EventPlan {
  const random = randomFor(seed, 'event', number);
  const eventName = random.pick(soakEvents);
  return {
    number,
    eventName,
    scenario: random.weighted(scenarios),
    input: makeInput(eventName, random),
    reload: random.weighted(reloads),
    cutMs: random.integer(1, 500),
    random,
  };
}
