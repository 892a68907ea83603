import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '../../..');

export const inAgent = 'handlers/handler/BeforeTool';

export const withPolicy = [
  'the policy process is here',
  '  npm test: {"command":"npm test","timeout":30000}',
  '    no-publish: matcher',
  '    add-timeout: succeeded',
  '  npm publish: deny. Releases are made by the release team.',
  '    no-publish: blocked',
  '    add-timeout: chain-ended',
];

/** What each program prints, line by line. */
export const programs: Record<string, readonly string[]> = {
  'block-dangerous-commands': [
    'ls -la: runs',
    'sudo rm -rf build: blocked. Nothing is deleted recursively. Name the files.',
    'git push origin main --force: blocked. History that others have is not rewritten.',
    'r=rm; $r -rf build: runs',
  ],
  'restrict-file-access': [
    'Write {"file_path":"src/main.ts"}: runs',
    'Write {"file_path":"/srv/app/../other/main.ts"}: blocked. /srv/other/main.ts is outside /srv/app.',
    'Read {"file_path":"config/.env"}: blocked. Secrets are neither read nor written.',
    'Write {}: blocked. Hook "stay-inside" denies because it could not do its work (onError: block). The handler of "stay-inside" threw: file_path must be a string.',
  ],
  'modify-arguments': [
    '{"command":"npm test"} becomes {"command":"npm test","timeout":30000}',
    '{"command":"npm test","timeout":600000} becomes {"command":"npm test","timeout":60000}',
  ],
  'audit-trail': [
    'fire answered Continue; the line is still being written',
    '{"session_id":"s-1","tool":"Bash","args":{"command":"npm test"},"success":false,"duration_ms":812}',
  ],
  'token-budget': [
    's-1: the model is called',
    's-1: the model is called',
    's-1: 1200 of 1000 tokens are spent.',
    's-2: the model is called',
  ],
  'rate-limit-retry': [
    'max_retries: 2, the engine waits',
    '  asked: no room, again in 20 ms',
    '  asked: no room, again in 20 ms',
    '  asked: there is room',
    '  fire answered Continue',
    'max_retries: 0, the caller waits',
    '  asked: no room, again in 20 ms',
    '  fire answered Retry',
    '  asked: there is room',
    '  fire answered Continue',
  ],
  'in-an-agent': [
    'ls: executed, ran with {"command":"ls","timeout":30000}',
    '  verdict none',
    '  no-sudo: matcher',
    '  add-timeout: succeeded',
    '  no-network: succeeded',
    'sudo ls: blocked, Nothing runs as root.',
    `  verdict deny by ${inAgent}/no-sudo`,
    '  no-sudo: blocked',
    '  add-timeout: chain-ended',
    '  no-network: chain-ended',
    'curl example.com: blocked, No downloads.',
    '  verdict deny by llxprt/settings/BeforeTool/no-network',
    '  no-sudo: matcher',
    '  add-timeout: succeeded',
    '  no-network: blocked',
  ],
  'other-process': [
    ...withPolicy,
    'the policy process is killed',
    '  npm test: {"command":"npm test"}',
    '    no-publish: matcher',
    '    add-timeout: failed, handler_absent',
    '  npm publish: deny. BeforeTool hook "no-publish" denies because it could not do its work (onError: block). The engine "policy", which runs the hook in another process, does not answer. Until it announces itself again, its hooks fail at once.',
    '    no-publish: failed, handler_absent, failed_closed',
    '    add-timeout: chain-ended',
    ...withPolicy,
  ],
};

/** Runs a program in a temporary folder of its own, which must be empty afterwards, so that files that it leaves are noticed. */
export async function run(program: string, folder: string): Promise<string[]> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(root, `examples/handlers/dist/${program}.js`)], {
    env: { ...process.env, TMPDIR: folder },
  });
  expect(stderr).toBe('');
  expect(readdirSync(folder)).toEqual([]);
  return stdout.trimEnd().split('\n');
}
