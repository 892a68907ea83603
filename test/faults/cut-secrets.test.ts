import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maskWhole } from '@tenterhook/runtime/log';
import { createHooks } from 'tenterhook';
import { settingsOf } from '../support/fire-hooks.js';

/** What is printed, and the part of it that must not be shown if the limit is anywhere behind its beginning. */
const printed: readonly (readonly [string, text: string, secret: string])[] = [
  ['credentials in an address', 'see postgres://admin:correct-horse-battery@db.example.org/x', 'correct'],
  ['a token', `uses gh${'p_'}hunter2hunter2hunter2`, 'hunter2'],
  ['a key without a digit at first', `uses sk-${'proj-'}hunterhunterhunter2`, 'hunter'],
  ['a token of the web', `got ${['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'].join('.')}`, 'JhbG'],
  ['an XML element', 'x <password>correct horse</password>', 'correct'],
  ['a bearer', 'header Bearer hunter2hunter2', 'hunter'],
  ['a key in PEM', 'x -----BEGIN PRIVATE KEY-----\nMIIEvgIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----', 'MIIE'],
];

async function fireWith(text: string, limits: { stdoutBytes?: number; stderrBytes?: number }, file: string) {
  const command = `printf %s ${JSON.stringify(text)}; printf %s ${JSON.stringify(text)} >&2; exit 2`;
  const hooks = await createHooks({ settings: settingsOf('BeforeTool', [command]), limits, record: { file } });
  try {
    return await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: {} });
  } finally {
    await hooks.dispose();
  }
}

test.each(printed)(
  '%s, cut by the limit of an output, is neither in what is shown of the hook nor in a recording',
  async (_, text, secret) => {
    const folder = mkdtempSync(join(tmpdir(), 'cut-secrets-'));
    try {
      const from = text.indexOf(secret) + secret.length;
      for (const bytes of new Set([from, from + 3, text.length - 8])) {
        const file = join(folder, `${bytes}.bus.jsonl`);
        const result = await fireWith(text, { stdoutBytes: bytes, stderrBytes: bytes }, file);
        expect(result.verdict.kind).toBe('deny');
        expect(result.outcomes[0]).toMatchObject({ truncated: true });
        expect([bytes, JSON.stringify(maskWhole(result))]).toEqual([bytes, expect.not.stringContaining(secret)]);
        expect([bytes, readFileSync(file, 'utf8')]).toEqual([bytes, expect.not.stringContaining(secret)]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('a text without a secret keeps everything up to the limit, also in the middle of a word', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cut-secrets-'));
  try {
    const { outcomes } = await fireWith('one-word-that-is-long', { stdoutBytes: 10, stderrBytes: 12 }, join(folder, 'a.bus.jsonl'));
    expect(outcomes[0]).toMatchObject({ stdout: 'one-word-t', stderr: 'one-word-tha', truncated: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a deny by any text is not lost if the whole text may be a part of a secret', async () => {
  const command = `printf gh${'p_'}hunter2; exit 3`;
  const hooks = await createHooks({ settings: settingsOf('BeforeTool', [command]), dialect: 'gemini-cli', limits: { stdoutBytes: 8 } });
  const { verdict, outcomes } = await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: {} });
  await hooks.dispose();
  expect([verdict.kind, verdict.reason, outcomes[0]?.stdout]).toEqual(['deny', '…', '…']);
});
