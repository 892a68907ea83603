import fc from 'fast-check';
import { Circuit, type RunEnd } from '../../../src/runner/circuit/circuit.js';

const options = { failures: 3, windowMs: 1000, pauseMs: 5000 };

/** A run that begins and ends at one moment. */
function run(circuit: Circuit, nowMs: number, end: RunEnd, message = 'it crashed'): void {
  expect(circuit.refusalAt(nowMs)).toBeUndefined();
  circuit.end(circuit.begin(), end, nowMs, message);
}

function opened(at = 0): Circuit {
  const circuit = new Circuit(options);
  for (const _ of [1, 2, 3]) run(circuit, at, 'failed');
  return circuit;
}

test('so many failures within the window open it, and one less does not', () => {
  const circuit = new Circuit(options);
  run(circuit, 0, 'failed');
  run(circuit, 500, 'failed');
  expect(circuit.state).toBe('closed');
  run(circuit, 1000, 'failed');
  expect(circuit.state).toBe('open');
});

test('failures that lie further apart than the window do not', () => {
  const circuit = new Circuit(options);
  for (const nowMs of [0, 501, 1002, 1503, 2004]) run(circuit, nowMs, 'failed');
  expect(circuit.state).toBe('closed');
  run(circuit, 2100, 'failed');
  expect(circuit.state).toBe('open');
});

test('a success between failures does not erase them: a hook that flaps opens it too', () => {
  const circuit = new Circuit(options);
  for (const [index, end] of (['failed', 'healthy', 'failed', 'healthy', 'undecided', 'failed'] as const).entries())
    run(circuit, index, end);
  expect(circuit.state).toBe('open');
});

test('one failure may be enough', () => {
  const circuit = new Circuit({ failures: 1, windowMs: 1, pauseMs: 1 });
  run(circuit, 7, 'failed');
  expect(circuit.state).toBe('open');
});

test('while it is open nothing is let through, and it is said for how long and why', () => {
  const circuit = opened(100);
  expect(circuit.refusalAt(100)).toEqual({ failedTrials: 0, lastFailure: 'it crashed', retryInMs: 5000 });
  expect(circuit.refusalAt(5099)).toMatchObject({ retryInMs: 1 });
  expect(circuit.refusalAt(5100)).toBeUndefined();
  expect(circuit.state).toBe('open');
});

test('after the pause one run is let through as a trial, and nothing beside it', () => {
  const circuit = opened();
  const trial = circuit.begin();
  expect(circuit.state).toBe('half-open');
  expect(circuit.refusalAt(5001)).toMatchObject({ retryInMs: 0 });
  circuit.end(trial, 'healthy', 5002, '');
  expect(circuit.state).toBe('closed');
});

test('a trial that succeeds closes it, and the failures before count no more', () => {
  const circuit = opened();
  run(circuit, 5000, 'healthy');
  run(circuit, 5001, 'failed');
  run(circuit, 5001, 'failed');
  expect(circuit.state).toBe('closed');
  run(circuit, 5001, 'failed');
  expect(circuit.state).toBe('open');
});

test('the same where the window is longer than the pause', () => {
  const circuit = new Circuit({ failures: 3, windowMs: 60_000, pauseMs: 10 });
  for (const _ of [1, 2, 3]) run(circuit, 0, 'failed');
  run(circuit, 10, 'healthy');
  run(circuit, 11, 'failed');
  run(circuit, 12, 'failed');
  expect(circuit.state).toBe('closed');
});

test('a trial that fails opens it again for the whole pause, from its end on', () => {
  const circuit = opened();
  const trial = circuit.begin();
  circuit.end(trial, 'failed', 6000, 'it crashed again');
  expect(circuit.state).toBe('open');
  expect(circuit.refusalAt(10_999)).toEqual({ failedTrials: 1, lastFailure: 'it crashed again', retryInMs: 1 });
  expect(circuit.refusalAt(11_000)).toBeUndefined();
});

test('a trial that was cancelled has shown nothing: the next run is the trial', () => {
  const circuit = opened();
  circuit.end(circuit.begin(), 'undecided', 5000, '');
  expect(circuit.state).toBe('half-open');
  expect(circuit.refusalAt(5000)).toBeUndefined();
  run(circuit, 5000, 'healthy');
  expect(circuit.state).toBe('closed');
});

test('a run that began before a change says nothing about what came after it', () => {
  const circuit = new Circuit(options);
  const [slow, slower, slowest] = [circuit.begin(), circuit.begin(), circuit.begin()];
  for (const _ of [1, 2, 3]) run(circuit, 0, 'failed');
  circuit.end(slow, 'healthy', 1, '');
  expect(circuit.refusalAt(4999)).toMatchObject({ lastFailure: 'it crashed', retryInMs: 1 });
  const trial = circuit.begin();
  circuit.end(slower, 'failed', 5001, 'late');
  expect(circuit.state).toBe('half-open');
  circuit.end(trial, 'healthy', 5002, '');
  circuit.end(slowest, 'failed', 5003, 'late');
  run(circuit, 5003, 'failed');
  run(circuit, 5003, 'failed');
  expect(circuit.state).toBe('closed');
});

test('what the last failure said is kept, bounded', () => {
  const circuit = new Circuit({ ...options, failures: 1 });
  run(circuit, 0, 'failed', 'x'.repeat(1_000_000));
  expect(circuit.refusalAt(0)?.lastFailure).toBe(`${'x'.repeat(299)}…`);
});

const happening = fc.record({ afterMs: fc.nat(3000), end: fc.constantFrom<RunEnd>('healthy', 'failed', 'undecided') });

test('whatever happens: no run while it is open, never two trials at once, and a healthy hook gets it closed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(happening, fc.boolean())), (happenings) => {
      const circuit = new Circuit(options);
      const running: { turn: number; isTrial: boolean }[] = [];
      let nowMs = 0;
      for (const [{ afterMs, end }, isEnd] of happenings) {
        nowMs += afterMs;
        if (isEnd) {
          const ended = running.shift();
          if (ended !== undefined) circuit.end(ended.turn, end, nowMs, 'm');
        } else if (circuit.refusalAt(nowMs) === undefined) {
          const wasClosed = circuit.state === 'closed';
          const turn = circuit.begin();
          expect(circuit.state).toBe(wasClosed ? 'closed' : 'half-open');
          if (!wasClosed) expect(running.filter((other) => other.isTrial && other.turn === turn)).toEqual([]);
          running.push({ turn, isTrial: !wasClosed });
        }
      }
      for (const { turn } of running) circuit.end(turn, 'undecided', nowMs, '');
      nowMs += options.pauseMs;
      run(circuit, nowMs, 'healthy');
      expect(circuit.state).toBe('closed');
    }),
    { numRuns: 2000 },
  );
});
