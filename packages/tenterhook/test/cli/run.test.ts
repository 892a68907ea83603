import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../src/cli/run.js';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tenterhook-run-')));
afterAll(() => rmSync(cwd, { recursive: true }));

/** Runs the command line in this process, like a program that embeds it. */
async function runHere(argv: readonly string[], { env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string } = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const context = { cwd, env: { PATH: process.env['PATH'], HOME: cwd, ...env }, stdin: Readable.from([stdin]), stdout, stderr };
  const status = await run(argv, context);
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { status, stdout: out, stderr: err };
}

const settings = { hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: 'echo "$WHO in $PWD" >&2; exit 2' }] }] } };
writeFileSync(join(cwd, 'hooks.json'), JSON.stringify(settings));

test('paths, environment and streams are those of the caller, not of its process', async () => {
  const input = JSON.stringify({ tool_name: 'write_file', tool_input: {} });
  const ended = await runHere(['fire', 'BeforeTool', '-s', 'hooks.json', '--json', '--exit-code', '-i', '-'], {
    env: { WHO: 'guard' },
    stdin: input,
  });
  expect(ended).toMatchObject({ status: 2, stderr: '' });
  expect(JSON.parse(ended.stdout)).toMatchObject({ success: true, output: { verdict: { kind: 'deny', reason: `guard in ${cwd}` } } });
});

test('the home directory is that of the given environment', async () => {
  const { stdout } = await runHere(['list', '--json'], { env: { HOME: '/home/someone' } });
  const files = (JSON.parse(stdout) as { files: { file: string }[] }).files.map(({ file }) => file);
  expect(files).toContain('/home/someone/.llxprt/settings.json');
});

test('wrong usage is a status and a message, and with --json a document too', async () => {
  expect(await runHere(['fire'])).toMatchObject({
    status: 64,
    stdout: '',
    stderr: expect.stringContaining('Name the event to fire: BeforeTool, '),
  });
  const ended = await runHere(['fire', 'BeforeTool', '--input', 'no JSON', '--json']);
  expect(ended).toMatchObject({ status: 64, stderr: expect.stringContaining('tenterhook: --input is not valid JSON') });
  expect(JSON.parse(ended.stdout)).toMatchObject({ success: false, error: { code: 'invalid_request' } });
});

test('help and version go to stdout of the caller', async () => {
  expect(await runHere(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: tenterhook'), stderr: '' });
  expect(await runHere(['--version'])).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
});

test('a report has no colours where the stream is not a terminal, and colours where FORCE_COLOR asks for them', async () => {
  const fire = ['fire', 'BeforeTool', '-s', 'hooks.json', '--input', '{"tool_name":"a","tool_input":{}}'];
  expect((await runHere(fire)).stdout).not.toContain('\u001b');
  expect((await runHere(fire, { env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[');
});

test('where the current directory was deleted, absolute paths work and a deny is a deny', async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const context = {
    get cwd(): string {
      throw Object.assign(new Error('ENOENT: uv_cwd'), { code: 'ENOENT', syscall: 'uv_cwd' });
    },
    env: { PATH: process.env['PATH'], HOME: cwd },
    stdout,
    stderr,
  };
  writeFileSync(join(cwd, 'input.json'), '{"tool_name":"write_file","tool_input":{}}');
  const fire = ['fire', 'BeforeTool', '--cwd', cwd, '-s', join(cwd, 'hooks.json'), '-i', `@${join(cwd, 'input.json')}`, '--exit-code'];
  expect(await run(fire, context)).toBe(2);
  expect(await run(['fire', 'BeforeTool', '-s', 'hooks.json', '--cwd', cwd], context)).toBe(64);
});
