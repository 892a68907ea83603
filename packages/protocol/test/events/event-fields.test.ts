import { hasFailed } from '../../src/events/event-fields.js';

test.each([{ error: { message: 'no' } }, { error: 'no' }, { error: true }, { error: 0 }, { llmContent: 'x', error: {} }])(
  '%j is the response of a tool that failed',
  (response) => {
    expect(hasFailed(response)).toBe(true);
  },
);

test.each([{}, { error: null }, { error: false }, { error: '' }, { error: undefined }, undefined, null, 'error', [{ error: 'no' }], 7])(
  '%j is not',
  (response) => {
    expect(hasFailed(response)).toBe(false);
  },
);
