import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireTool, freshDirectory, outcomeAt, says, settingsOf, warningCodes } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';
import { fault } from './fault.js';

const deny = { decision: 'deny', reason: 'no' };
const denied = { kind: 'deny', reason: 'no' };

fault('T1', async () => {
  const result = await fireTool([String.raw`printf '{"systemMessage":"5 \342\202'; printf '\254"}'`]);
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', output: { systemMessage: '5 €' }, warnings: [] });
});

fault('T2', async () => {
  const result = await fireTool([String.raw`printf '\357\273\277'; ${says(deny)}`]);
  expect(result.verdict).toMatchObject(denied);
  expect(warningCodes(outcomeAt(result, 0))).toEqual([]);
});

fault('T3', async () => {
  const whole = await fireTool([String.raw`printf '{\r\n  "decision": "deny",\r\n  "reason": "no"\r\n}\r\n'`]);
  expect(whole.verdict).toMatchObject(denied);
  expect(warningCodes(outcomeAt(whole, 0))).toEqual([]);
  const amongLogs = await fireTool([String.raw`printf 'checking\r\n{"decision":"deny","reason":"no"}\r\ndone\r\n'`]);
  expect(amongLogs.verdict).toMatchObject(denied);
});

fault('T4', async () => {
  const denying = await fireTool([String.raw`printf '\0\0{"decision":"deny","reason":"no"}\0'`]);
  expect(denying.verdict).toMatchObject(denied);
  const allowing = await fireTool([String.raw`printf '\0\0{"decision":"allow"}\0'`]);
  expect(allowing.verdict.kind).toBe('none');
  for (const result of [denying, allowing]) expect(warningCodes(outcomeAt(result, 0))).toEqual(['mixed_output']);
});

fault('T5', async () => {
  const result = await fireTool([String.raw`printf '{"decision":"deny","reason":"caf\351"}'`]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'caf\uFFFD' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['invalid_utf8']);
});

fault('T6', async () => {
  const result = await fireTool([`printf '{"decision":"deny","reas'`]);
  expect(result.verdict).toMatchObject({ kind: 'none', by: [] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', warnings: [{ code: 'invalid_json' }] });
});

fault('T7', async () => {
  // The same bytes in every run, so that a failure can be examined.
  const blocks = Array.from({ length: 2048 }, (_, index) => createHash('sha256').update(String(index)).digest());
  const file = join(freshDirectory('bytes'), 'bytes');
  writeFileSync(file, Buffer.concat(blocks));
  const result = await fireTool([`cat '${file}'`]);
  rmSync(join(file, '..'), { recursive: true });
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false, by: [] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 0, stdoutBytes: 65_536 });
  expect(warningCodes(outcomeAt(result, 0))).toContain('invalid_utf8');
});

fault('T8', async () => {
  const result = await fireTool([`echo checking; ${says(deny)}; ${says({ decision: 'allow' })}; echo done`]);
  expect(result.verdict).toMatchObject(denied);
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['mixed_output']);
});

fault('T9', async () => {
  const result = await fireTool([says({ decision: 'DENY', reason: 5, continue: 'false', systemMessage: 'm' })]);
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', output: { systemMessage: 'm' } });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['wrong_type', 'wrong_type', 'wrong_type']);
});

fault('T10', async () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const hostile = '{"__proto__":{"decision":"deny","hacked":1},"constructor":{"prototype":{"hacked":1}},"toString":"x","hasOwnProperty":1';
  const rewrite = '"hookSpecificOutput":{"tool_input":{"__proto__":{"hacked":1},"valueOf":"y"}}';
  const result = await fireTool([`echo '${hostile},${rewrite}}'`]);
  expect(result.verdict).toMatchObject({ kind: 'none', by: [] });
  const input = result.finalOutput?.hookSpecificOutput?.['tool_input'] as object;
  expect(Object.keys(input).sort()).toEqual(['__proto__', 'path', 'valueOf']);
  for (const value of [input, result.finalOutput, outcomeAt(result, 0), {}]) expect('hacked' in (value as object)).toBe(false);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
});

fault('T11', async () => {
  const cwd = freshDirectory('terminal');
  const command = String.raw`printf '\033[2J\033]0;owned\007\r\b\302\233no' >&2; exit 2`;
  writeFileSync(join(cwd, 'hooks.json'), JSON.stringify(settingsOf('BeforeTool', [command])));
  const input = '{"tool_name":"write_file","tool_input":{}}';
  const { status, stdout, stderr } = await runCli(['fire', 'BeforeTool', '--settings', 'hooks.json', '--input', input], { cwd });
  rmSync(cwd, { recursive: true });
  expect(status).toBe(0);
  expect(stdout).toContain(String.raw`\x1b[2J\x1b]0;owned\x07\r\x08\x9bno`);
  expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u);
});
