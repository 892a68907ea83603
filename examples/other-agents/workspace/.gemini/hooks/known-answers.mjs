#!/usr/bin/env node
// BeforeModel: answers questions about package.json, which need no model. An llm_response replaces the answer of the model.
import { readFileSync } from 'node:fs';

const { llm_request: request } = JSON.parse(readFileSync(0, 'utf8'));
const question = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';

if (/^which version\b/i.test(question)) {
  const { name, version } = JSON.parse(readFileSync(`${process.env.GEMINI_PROJECT_DIR}/package.json`, 'utf8'));
  const content = { role: 'model', parts: [`This is ${name} ${version}.`] };
  const llm_response = { candidates: [{ content, finishReason: 'STOP' }] };
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'BeforeModel', llm_response } }));
} else {
  console.log('{}');
}
