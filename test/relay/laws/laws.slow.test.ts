import { answersAnything, hearsWhatWasWritten, relayed, saysWhatHooksSaid } from './laws.js';

const numRuns = 10_000;
const patienceMs = 600_000;

describe.each(relayed.map(({ dialect, relay }) => [dialect.name, dialect, relay] as const))('%s', (_name, dialect, relay) => {
  test('what hooks say reaches the agent, or is stricter, or is a loss', () => saysWhatHooksSaid(dialect, relay, numRuns), patienceMs);
  test('what the agent writes is heard as the event', () => hearsWhatWasWritten(dialect, relay, numRuns), patienceMs);
  test('any input has an answer, and a failure is never an allow', () => answersAnything(dialect, relay, numRuns), patienceMs);
});
