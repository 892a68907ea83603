import { readFileSync } from 'node:fs';
import { openRealNode } from './real-node.js';

test('the example of the README does what its comment says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const node = openRealNode();
  const run = await node.run(code.replace('@tenterhook/spawner', 'spawner'));
  node.close();
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: `${/leftProcesses\); \/\/ (.*)/.exec(code)?.[1]}\n`, stderr: '' });
});
