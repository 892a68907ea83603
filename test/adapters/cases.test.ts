import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const adapters = ['ai-sdk', 'langchain', 'mcp', 'openai-agents'].filter((name) => existsSync(`packages/${name}/package.json`));

test('the tests of every adapter answer the rows that all adapters share', () => {
  expect(adapters).not.toEqual([]);
  expect(adapters.filter((name) => !answersCases(`packages/${name}/test`))).toEqual([]);
});

function answersCases(folder: string): boolean {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  return files.some((file) => /\btestAdapter\(/.test(readFileSync(join(folder, file), 'utf8')));
}
