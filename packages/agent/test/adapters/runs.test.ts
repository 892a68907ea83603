import type { HookClient } from '../../src/index.js';
import { findRuns, runsOf } from '../../src/internal.js';

const clientOf = () => ({}) as HookClient;
const texts = (...list: string[]) => ({ texts: list });

test('a run is found by its key, and by its client', () => {
  const [client, key] = [clientOf(), {}];
  expect(findRuns(client)).toBeUndefined();
  runsOf(client).at(key).leave('call_0', texts('a'));
  expect(runsOf(client).at(key).get('call_0')).toEqual({ additions: ['a'] });
  expect(runsOf(client).at({}).get('call_0')).toBeUndefined();
  expect(runsOf(client).at(undefined).get('call_0')).toBeUndefined();
  expect(runsOf(clientOf()).at(key).get('call_0')).toBeUndefined();
  expect([findRuns(client)?.find({}), findRuns(client)?.find(key)?.hasLeft]).toEqual([undefined, true]);
});

test('a call that has ended leaves its stop and its texts, and a new one with its id knows nothing of them', () => {
  const run = runsOf(clientOf()).at({});
  run.begin('c', { toolSelection: { mode: 'NONE' } });
  run.leave('c', texts('of the model'));
  run.end('c', { ...texts('of the tool'), stop: { stopReason: 'enough' } });
  expect(run.get('c')).toEqual({ additions: ['of the model', 'of the tool'], stop: { stopReason: 'enough' } });
  expect([run.takeStop('c'), run.takeStop('c'), run.get('c')?.additions?.length]).toEqual([{ stopReason: 'enough' }, undefined, 2]);
  run.begin('c', {});
  expect(run.get('c')).toEqual({});
  run.end('c');
  expect(run.get('c')).toBeUndefined();
});

describe('later runs of a conversation', () => {
  type End = Parameters<ReturnType<ReturnType<typeof runsOf>['at']>['end']>[1];
  const stop = { reason: 'enough' };

  /** A run that makes a call at a place, which ends. Without an end, the call stays open. */
  const runAt = (runs: ReturnType<typeof runsOf>, end?: End, place = 'place') => {
    const run = runs.at({});
    run.place('c', place);
    if (end !== undefined) run.end('c', end);
    return run;
  };

  test('read what an earlier one left', () => {
    const runs = runsOf(clientOf());
    runAt(runs, texts('a'));
    expect([runs.hasLeft, runs.at({}).find('c', 'place'), runs.at({}).find('c', 'other')]).toEqual([true, { additions: ['a'] }, undefined]);
  });

  test('take a stop once', () => {
    const runs = runsOf(clientOf());
    runAt(runs, { stop });
    expect([runs.at({}).takeStop('c', 'place'), runs.at({}).takeStop('c', 'place')]).toEqual([stop, undefined]);
    expect(runs.at({}).find('c', 'place')).toEqual({});
  });

  test.each([
    [['a'], ['b'], undefined],
    [['a'], [], undefined],
    [[], ['b'], undefined],
    [['a'], ['a'], ['a']],
  ])('get texts only if all calls at a place left the same: %j, %j', (first, second, found) => {
    const runs = runsOf(clientOf());
    runAt(runs, texts(...first));
    runAt(runs, texts(...second));
    expect(runs.at({}).find('c', 'place')?.additions).toEqual(found);
  });

  test('do not get the texts of a call if another call at its place has not ended', () => {
    const runs = runsOf(clientOf());
    runAt(runs);
    runAt(runs, texts('a'));
    expect(runs.at({}).find('c', 'place')).toEqual({});
  });

  test('do not take the stop of a run that goes on itself', () => {
    const runs = runsOf(clientOf());
    const first = runAt(runs, { stop });
    expect([runs.at({}).takeStop('c', 'place'), first.takeStop('c', 'place'), first.takeStop('c', 'place')]).toEqual([
      stop,
      stop,
      undefined,
    ]);
    expect(runs.at({}).takeStop('c', 'place')).toBeUndefined();
  });

  test('a run with a call of its own at the place is not stopped by another one, and reads no texts of it', () => {
    const runs = runsOf(clientOf());
    runAt(runs, { stop, ...texts('a') });
    const second = runAt(runs, {});
    expect([second.find('c', 'place'), second.takeStop('c', 'place')]).toEqual([{}, undefined]);
  });

  test.each(['first', 'second'] as const)(
    'of two alike conversations, of which the %s was stopped, the first two continuations are stopped',
    (which) => {
      const runs = runsOf(clientOf());
      for (const each of ['first', 'second']) runAt(runs, each === which ? { stop } : {});
      expect([1, 2, 3].map(() => runs.at({}).takeStop('c', 'place'))).toEqual([stop, stop, undefined]);
    },
  );

  test('that ask nothing of a stop leave it for the one that is meant', () => {
    const runs = runsOf(clientOf());
    const first = runAt(runs, { stop });
    for (let count = 0; count < 3; count += 1) runs.at({}).forgetStop('c', 'place');
    expect(runs.at({}).takeStop('c', 'place')).toEqual(stop);
    first.forgetStop('c', 'place');
    expect(first.takeStop('c', 'place')).toBeUndefined();
  });

  test('change what an earlier one left', () => {
    const runs = runsOf(clientOf());
    runAt(runs, texts('a'));
    const later = runs.at({});
    later.continue('c', 'place');
    later.end('c', texts('b'));
    expect(runs.at({}).find('c', 'place')).toEqual({ additions: ['a', 'b'] });
  });

  test('of alike conversations continue calls of their own', () => {
    const runs = runsOf(clientOf());
    const open = [runAt(runs), runAt(runs)];
    const later = open.map(() => runs.at({}));
    for (const run of later) run.continue('c', 'place');
    later[0]?.end('c', texts('a'));
    later[1]?.end('c', { stop });
    expect(later.map((run) => run.find('c', 'place'))).toEqual([{ additions: ['a'] }, { stop }]);
    expect(runs.at({}).find('c', 'place')).toEqual({ stop });
  });

  test('of alike conversations leave something at both calls', () => {
    const runs = runsOf(clientOf());
    const open = [runAt(runs), runAt(runs)];
    const later = open.map(() => runs.at({}));
    for (const run of later) run.continue('c', 'place');
    for (const run of later) run.end('c', texts('a'));
    expect(runs.at({}).find('c', 'place')).toEqual({ additions: ['a'] });
  });

  test('find what a call left that was dropped to make room', () => {
    const runs = runsOf(clientOf());
    const slow = runAt(runs, undefined, 'slow');
    for (let at = 0; at < 10_000; at += 1) runAt(runs, texts('a'), `place ${at}`);
    expect(runs.at({}).find('c', 'slow')).toBeUndefined();
    slow.end('c', { stop });
    expect(runs.at({}).takeStop('c', 'slow')).toEqual(stop);
  });

  test('of which it is not known what they continue take over a stop', () => {
    const runs = runsOf(clientOf());
    runAt(runs, { stop });
    runAt(runs, texts('a'));
    const later = runs.at({});
    later.continue('c', 'place');
    later.end('c');
    expect(later.find('c', 'place')).toEqual({ stop });
  });

  test('know texts of thousands of calls, and stops longer than texts', () => {
    const runs = runsOf(clientOf());
    runAt(runs, { stop }, 'place of the stop');
    for (let at = 0; at < 5000; at += 1) {
      runAt(runs, texts('a'), `place ${at}`);
      runAt(runs, {}, `other place ${at}`);
    }
    const found = [0, 1, 4999].map((at) => runs.at({}).find('c', `place ${at}`));
    expect(found).toEqual([{ additions: ['a'] }, { additions: ['a'] }, { additions: ['a'] }]);
    for (let at = 5000; at < 20_000; at += 1) runAt(runs, texts('a'), `place ${at}`);
    expect([runs.at({}).find('c', 'place 0'), runs.at({}).takeStop('c', 'place of the stop')]).toEqual([undefined, stop]);
  });

  test.each(['before', 'after'])(
    'find what a call left at the place of another call of its answer with its id, which ended %s it',
    (when) => {
      const runs = runsOf(clientOf());
      const run = runs.at({});
      const left = { stop, additions: ['text'] };
      const [first, second] = when === 'before' ? [{}, { stop, ...texts('text') }] : [{ stop, ...texts('text') }, {}];
      run.place('c', '1 a');
      run.end('c', first);
      run.place('c', '1 b');
      run.end('c', second);
      expect(['1 a', '1 b'].map((place) => [run.find('c', place), runs.at({}).find('c', place)])).toEqual([
        [left, left],
        [left, left],
      ]);
      expect(['1 a', '1 b'].map((place) => run.takeStop('c', place))).toEqual([stop, undefined]);
    },
  );

  test('find what a call left after its end', () => {
    const runs = runsOf(clientOf());
    const run = runAt(runs, {});
    run.leave('c', { stop });
    expect([runs.at({}).takeStop('c', 'place'), run.takeStop('c', 'place')]).toEqual([stop, stop]);
  });

  test('do not find what a call left at the place of a call of an earlier answer with its id', () => {
    const run = runsOf(clientOf()).at({});
    run.place('c', '1 a');
    run.end('c', {});
    run.place('c', '2 b');
    run.end('c', texts('text'));
    expect([run.find(undefined, '1 a'), run.find('c', '2 b')]).toEqual([{}, { additions: ['text'] }]);
  });

  test('of a conversation that runs again and again know that its texts differ, and its stop', () => {
    const runs = runsOf(clientOf());
    runAt(runs, { stop });
    runAt(runs, texts('other'));
    const last = Array.from({ length: 500 }, () => runAt(runs, texts('a'))).at(-1);
    expect(runs.at({}).find('c', 'place')).toEqual({ stop });
    expect(last?.find('c', 'place')).toEqual({ additions: ['a'] });
  });

  test('know a call of a run whose ledger has dropped it', () => {
    const run = runsOf(clientOf()).at({});
    for (let at = 0; at < 2000; at += 1) {
      run.place(`c${at}`, `place ${at}`);
      run.end(`c${at}`, texts(`text ${at}`));
    }
    expect([run.get('c0'), run.find('c0', 'place 0')]).toEqual([undefined, { additions: ['text 0'] }]);
  });
});

describe('two conversations in one run', () => {
  // The app may pass one context to several runs.
  test('each has its own stop, although the call of the other has replaced its id', () => {
    const run = runsOf(clientOf()).at({});
    run.begin('c', {});
    run.place('c', 'a');
    run.end('c', { stop: { reason: 'enough' } });
    run.begin('c', {});
    run.place('c', 'b');
    run.end('c');
    expect([run.takeStop('c', 'b'), run.takeStop('c', 'a'), run.takeStop('c', 'a')]).toEqual([undefined, { reason: 'enough' }, undefined]);
  });

  test('that are alike are both stopped', () => {
    const run = runsOf(clientOf()).at({});
    for (const end of [{ stop: { reason: 'enough' } }, {}]) {
      run.begin('c', {});
      run.place('c', 'a');
      run.end('c', end);
    }
    expect([1, 2, 3].map(() => run.takeStop('c', 'a'))).toEqual([{ reason: 'enough' }, { reason: 'enough' }, undefined]);
  });

  test('of which one is not known by its place: the stop counts for it, and stays for the other', () => {
    const run = runsOf(clientOf()).at({});
    run.begin('c', {});
    run.place('c', 'a');
    run.end('c', { stop: { reason: 'enough' } });
    expect([run.takeStop('c', 'shortened'), run.takeStop('c', 'a')]).toEqual([{ reason: 'enough' }, { reason: 'enough' }]);
  });
});

describe('the place of a call', () => {
  const call = { id: 'c', name: 'read', input: { path: 'a' } };
  const runOf = () => runsOf(clientOf()).at({});
  const placeIn = (run: ReturnType<typeof runOf>, said: readonly string[], made: object = call) => {
    const conversation = run.readConversation();
    for (const text of said) conversation.add(text);
    return conversation.placeOf(made as typeof call);
  };

  test('depends on the call and on what the model said before', () => {
    const places = [
      placeIn(runOf(), []),
      placeIn(runOf(), ['a']),
      placeIn(runOf(), ['', 'a']),
      placeIn(runOf(), ['a', '']),
      placeIn(runOf(), [], { ...call, input: { path: 'b' } }),
      placeIn(runOf(), [], { ...call, id: 'd' }),
      placeIn(runOf(), [], { ...call, name: 'write' }),
    ];
    expect(new Set(places).size).toBe(places.length);
    expect(placeIn(runOf(), ['a', 'b'])).toBe(placeIn(runOf(), ['a', 'b']));
  });

  test('is the same if the run has read any other conversation before', () => {
    const run = runOf();
    const conversations = [['a', 'b'], ['a', 'b', 'c'], ['a'], ['a', 'x', 'c'], ['a', 'b', 'c'], [], ['b', 'a']];
    expect(conversations.map((said) => placeIn(run, said))).toEqual(conversations.map((said) => placeIn(runOf(), said)));
  });

  test('of an input with a BigInt can be written', () => {
    expect(placeIn(runOf(), [], { ...call, input: { count: 10n } })).toContain('"count":"10"');
  });
});
