import { formatNamed, formatNames } from '../../support/formats.js';
import { answersAnything, hearsWhatWasWritten, hookOf, relayed, saysWhatHooksSaid } from './laws.js';

const numRuns = 300;

test('the agents with a way back have a sample for the other tests of the relay', () => {
  expect(relayed.map(({ dialect }) => dialect.name)).toEqual(formatNames.filter((name) => formatNamed(name).relay !== undefined));
});

describe.each(relayed.map(({ dialect, relay }) => [dialect.name, dialect, relay] as const))('%s', (_name, dialect, relay) => {
  test('every entry is one hook of the agent, without a problem', () => {
    for (const event of Object.keys(relay.events)) expect(hookOf(dialect, relay, event)).toMatchObject({ dialectEvent: event });
  });

  test('what hooks say reaches the agent, or is stricter, or is a loss', () => saysWhatHooksSaid(dialect, relay, numRuns));
  test('what the agent writes is heard as the event', () => hearsWhatWasWritten(dialect, relay, numRuns));
  test('any input has an answer, and a failure is never an allow', () => answersAnything(dialect, relay, numRuns));
});
