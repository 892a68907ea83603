import type { HookClient } from '../../src/index.js';
import { Conversation, findRuns, runsOf } from '../../src/internal.js';

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
  const place = () => 'place';
  const leaveIn = (runs: ReturnType<typeof runsOf>, key: object, ...list: string[]) => {
    runs.at(key).note('c', { place });
    runs.at(key).end('c', texts(...list));
  };

  test('read what an earlier one left', () => {
    const runs = runsOf(clientOf());
    leaveIn(runs, {}, 'a');
    expect([runs.hasLeft, runs.at({}).recall(place), runs.at({}).recall(() => 'other')]).toEqual([true, { additions: ['a'] }, undefined]);
  });

  test('take a stop once', () => {
    const runs = runsOf(clientOf());
    const first = runs.at({});
    first.note('c', { place });
    first.end('c', { stop: { reason: 'enough' } });
    expect([runs.at({}).takeStop('c', place), runs.at({}).takeStop('c', place)]).toEqual([{ reason: 'enough' }, undefined]);
  });

  test.each([
    [['a'], ['b'], undefined],
    [['a'], [], undefined],
    [[], ['b'], undefined],
    [['a'], ['a'], ['a']],
  ])('get nothing if two runs left different things at one place: %j, %j', (first, second, found) => {
    const runs = runsOf(clientOf());
    const [one, other] = [{}, {}];
    leaveIn(runs, one, ...first);
    leaveIn(runs, other, ...second);
    expect(runs.at({}).recall(place)?.additions).toEqual(found);
  });

  test('change what an earlier one left', () => {
    const runs = runsOf(clientOf());
    leaveIn(runs, {}, 'a');
    const later = runs.at({});
    expect(later.recall(place)).toEqual({ additions: ['a'] });
    later.note('c', { place, additions: ['a'] });
    later.end('c', texts('b'));
    expect(runs.at({}).recall(place)).toEqual({ additions: ['a', 'b'] });
  });

  test('know the last 1,024 calls', () => {
    const runs = runsOf(clientOf());
    const run = runs.at({});
    for (let at = 0; at < 1030; at += 1) {
      run.note(`c${at}`, { place: () => `place ${at}` });
      run.end(`c${at}`, texts('a'));
    }
    const later = runs.at({});
    expect([5, 6, 1029].map((at) => later.recall(() => `place ${at}`) !== undefined)).toEqual([false, true, true]);
  });
});

test('the place of a call depends on the call and on what the model said before', () => {
  const call = { id: 'c', name: 'read', input: { path: 'a' } };
  const after = (...said: string[]) => {
    const conversation = new Conversation();
    for (const text of said) conversation.add(text);
    return conversation;
  };
  const places = [
    after().placeOf(call),
    after('a').placeOf(call),
    after('', 'a').placeOf(call),
    after('a', '').placeOf(call),
    after().placeOf({ ...call, input: { path: 'b' } }),
    after().placeOf({ ...call, id: 'd' }),
    after().placeOf({ ...call, name: 'write' }),
  ];
  expect(new Set(places).size).toBe(places.length);
  expect(after('a', 'b').placeOf(call)).toBe(after('a', 'b').placeOf(call));
});
