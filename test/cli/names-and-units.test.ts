import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

const cwd = freshDirectory('names');
afterAll(() => rmSync(cwd, { recursive: true }));

beforeAll(() => {
  const write = (file: string, value: unknown) => {
    mkdirSync(join(cwd, file, '..'), { recursive: true });
    writeFileSync(join(cwd, file), JSON.stringify(value));
  };
  const hook = (command: string) => [{ hooks: [{ type: 'command', command, timeout: 300 }] }];
  write('.llxprt/settings.json', { tools: { enableHooks: true }, hooks: { BeforeTool: hook('./log.sh') } });
  write('.claude/settings.json', { hooks: { PreToolUse: hook('./log.sh'), PostToolUse: hook('./format.sh') } });
  for (const script of ['log.sh', 'format.sh']) writeFileSync(join(cwd, script), '#!/bin/sh\ncat > /dev/null\n', { mode: 0o755 });
});

test('list shows a timeout in the unit of the format, as it is written in the settings', async () => {
  const { stdout } = await runCli(['list'], { cwd, home: join(cwd, 'home') });
  expect(stdout).toMatch(/timeout 300 ms .* llxprt/);
  expect(stdout).toMatch(/timeout 300 s .* claude-code/);
});

test('hooks of two formats keep the names of their scripts, and two of one name have the format added', async () => {
  const input = '{"tool_name":"write_file","tool_input":{},"tool_response":{}}';
  const before = await runCli(['fire', 'BeforeTool', '--trust-project', '--input', input], { cwd, home: join(cwd, 'home') });
  expect(before.stdout).toMatch(/ log\.sh \(llxprt\) /);
  expect(before.stdout).toMatch(/ log\.sh \(claude-code\) /);
  const after = await runCli(['fire', 'AfterTool', '--trust-project', '--input', input], { cwd, home: join(cwd, 'home') });
  expect(after.stdout).toMatch(/ format\.sh /);
});
