import { expect, test } from '@jest/globals';
import { Approvals } from '../../src/asking/approvals.js';

const reviewed = { status: 'ready', name: 'echo', input: { a: 1 }, systemMessages: [], userMessages: [], suppressOutput: false } as const;
const input = { a: 1 };
const accepted = { 'tenterhook.approval': { action: 'accept' } };

test('M9 an answer counts for ten minutes', () => {
  let now = 0;
  const approvals = new Approvals(() => now);
  const ask = () => approvals.ask('May it?', { reviewed, input, carried: {} })['requestState'];
  const [early, late] = [ask(), ask()];
  now = 600_000;
  expect(approvals.read({ name: 'echo', arguments: input, requestState: early, inputResponses: accepted }).retry?.answer).toBe('allow');
  now = 600_001;
  expect(approvals.read({ name: 'echo', arguments: input, requestState: late, inputResponses: accepted })).toEqual({
    params: { name: 'echo', arguments: input },
  });
});

test('the oldest of more than 128 questions is forgotten', () => {
  const approvals = new Approvals(() => 0);
  const states = Array.from({ length: 129 }, () => approvals.ask('May it?', { reviewed, input, carried: {} })['requestState']);
  const answer = (requestState: unknown) =>
    approvals.read({ name: 'echo', arguments: input, requestState, inputResponses: accepted }).retry?.answer;
  expect([answer(states[0]), answer(states[1]), answer(states[128])]).toEqual([undefined, 'allow', 'allow']);
});

test('what belongs to the server stays, and requests without questions are the same object', () => {
  const approvals = new Approvals(() => 0);
  const params = { name: 'echo', arguments: input };
  expect(approvals.read(params).params).toBe(params);
  const ofServer = { ...params, requestState: 's', inputResponses: {} };
  expect(approvals.read(ofServer)).toEqual({ params: ofServer });
  expect(approvals.read({ ...ofServer, inputResponses: { ...accepted, colour: {} } })).toEqual({
    params: { ...ofServer, inputResponses: { colour: {} } },
  });
});
