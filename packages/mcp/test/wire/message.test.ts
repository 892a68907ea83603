import { expect, test } from '@jest/globals';
import { classify } from '../../src/wire/message.js';

test.each([
  ['{"id":1,"method":"a"}', { kind: 'request', id: 1, method: 'a', params: {} }],
  ['{"id":"","method":"a","params":[1]}', { kind: 'request', id: '', params: {} }],
  ['{"method":"a","params":{"b":1}}', { kind: 'notification', method: 'a', params: { b: 1 } }],
  ['{"id":1,"result":null}', { kind: 'response', id: 1 }],
  ['{"id":null,"error":{}}', { kind: 'response', id: null }],
  ['{"error":{}}', { kind: 'response', id: null }],
  ['[]', { kind: 'invalid', id: null, problem: 'is not a JSON object' }],
  ['{"id":1}', { kind: 'invalid', id: 1, problem: 'has neither a method nor a result' }],
  ['{"id":true,"method":"a"}', { kind: 'invalid', id: null, problem: 'has an id that is neither a text nor a number' }],
  ['{"id":1e999,"method":"a"}', { kind: 'invalid', id: null, problem: 'has an id that is neither a text nor a number' }],
  ['{"id":[],"result":1}', { kind: 'invalid', id: null, problem: 'has an id that is neither a text nor a number' }],
  ['{"id":1,"method":"a","error":1}', { kind: 'invalid', id: 1, problem: 'is a request and a response at the same time' }],
  ['{"id":1,"method":null}', { kind: 'invalid', id: 1, problem: 'has a method that is not a text' }],
  ['{"id":1,"method":"a","params":{"__proto__":1}}', { kind: 'invalid', id: 1, problem: 'has a key "__proto__"' }],
])('%s', (text, expected) => {
  expect(classify(JSON.parse(text))).toMatchObject(expected);
});
