#!/usr/bin/env node
// Answers questions that need no model. An llm_response on BeforeModel replaces the answer of the model.
import { readFileSync } from 'node:fs';

const answers = [[/which number .*station/i, 'It is station 17, as the sign on its door says.']];

const { messages } = JSON.parse(readFileSync(0, 'utf8')).llm_request;
const question = messages?.findLast(({ role }) => role === 'user')?.content ?? '';
const [, answer] = answers.find(([pattern]) => pattern.test(question)) ?? [];

if (answer !== undefined) {
  const candidates = [{ content: { role: 'model', parts: [answer] }, finishReason: 'STOP' }];
  console.log(JSON.stringify({ hookSpecificOutput: { llm_response: { candidates } } }));
}
