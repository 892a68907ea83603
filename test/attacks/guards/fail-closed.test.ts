import { type AddressInfo, createServer } from 'node:net';
import type { HookOutcome } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { warningCodes, withEndingHooks } from '../../support/fire-hooks.js';
import { attack } from '../attack.js';
import { group, onEvent, readSecret, redacts } from './guard-rig.js';

describe('a guard with "onError": "block"', () => {
  const call = { tool_name: 'write_file', tool_input: { path: 'a' } };
  const other = { tool_name: 'read_file', tool_input: { path: 'a' } };

  attack(
    {
      id: 'invalid-guard-stays-closed',
      attacker: 'no attacker: a mistake of the author, or damaged settings',
      attempt: 'a guard with "onError": "block" is written with a mistake, so that it never runs',
      result: 'every event that the guard may have been meant for is denied. The reason has the place and the remedy of the mistake',
    },
    () =>
      withEndingHooks(
        onEvent('BeforeTool', group([{ name: 'guard', type: 'comand', command: 'true', onError: 'block' }], { matcher: '^write_file$' })),
        async ({ hooks }) => {
          const { verdict, outcomes, errors } = await hooks.fire('BeforeTool', call);
          expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringMatching(/"comand".*write "type": "command"/s) });
          expect(outcomes).toMatchObject([{ status: 'skipped', skipReason: 'invalid', failedClosed: true }]);
          expect(errors).toMatchObject([{ code: 'unknown_type' }]);
          // The matcher of the hook is valid, so the hook does not run for another tool.
          expect((await hooks.fire('BeforeTool', other)).verdict.kind).toBe('none');
          const [explained] = hooks.explain('BeforeTool', call).hooks;
          expect(explained).toMatchObject({ wouldRun: false, skipReason: 'invalid', reason: expect.stringContaining('denied') });
        },
      ),
  );

  const closed = { onError: 'block' };
  test.each<[string, CreateHooksOptions]>([
    ['a bad matcher', onEvent('BeforeTool', group([{ command: 'true', ...closed }], { matcher: '[' }))],
    ['no command', onEvent('BeforeTool', { hooks: [{ name: 'guard', ...closed }] })],
    ['no group around it', onEvent('BeforeTool', { command: 'true', ...closed })],
    ['no list around its group', { settings: { hooks: { BeforeTool: group([{ command: 'true', ...closed }]) } } }],
    [
      'a bad matcher in Claude Code',
      {
        dialect: 'claude-code',
        settings: { hooks: { PreToolUse: [{ matcher: '[', hooks: [{ type: 'command', command: 'true', onFailure: 'block' }] }] } },
      },
    ],
    [
      'a bad matcher in ECA',
      {
        dialect: 'eca',
        settings: { hooks: { guard: { type: 'preToolCall', matcher: '[', actions: [{ type: 'shell', shell: 'true' }], ...closed } } },
      },
    ],
    [
      'an unknown type in Gemini CLI',
      { dialect: 'gemini-cli', settings: { hooks: { BeforeTool: [{ hooks: [{ type: 'x', command: 'true', ...closed }] }] } } },
    ],
  ])('denies if it has %s', async (_, options) => {
    await withEndingHooks(options, async ({ hooks }) => {
      expect(hooks.diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([]);
      expect((await hooks.fire('BeforeTool', call)).verdict.kind).toBe('deny');
    });
  });

  test('is skipped if it is invalid and does not ask to fail closed, or if it is switched off', async () => {
    const invalid = { name: 'guard', type: 'comand', command: 'true' };
    await withEndingHooks(onEvent('BeforeTool', group([invalid])), async ({ hooks }) => {
      const { verdict, outcomes } = await hooks.fire('BeforeTool', call);
      expect([verdict.kind, outcomes[0]?.skipReason]).toEqual(['none', 'invalid']);
    });
    const settings = { hooksConfig: { disabled: ['guard'] }, hooks: { BeforeTool: [group([{ ...invalid, ...closed }])] } };
    await withEndingHooks({ settings }, async ({ hooks }) => {
      const { verdict, outcomes } = await hooks.fire('BeforeTool', call);
      expect([verdict.kind, outcomes[0]?.skipReason]).toEqual(['none', 'disabled']);
    });
    await withEndingHooks({ ...onEvent('BeforeTool', group([{ ...invalid, ...closed }])), isTrusted: () => false }, async ({ hooks }) => {
      const { verdict, outcomes } = await hooks.fire('BeforeTool', call);
      expect([verdict.kind, outcomes[0]?.skipReason]).toEqual(['none', 'untrusted']);
    });
  });

  test('denies if it is invalid, also beside a copy without the mistake that fails open', async () => {
    const copy = { name: 'guard', command: 'true' };
    await withEndingHooks(onEvent('BeforeTool', group([{ ...copy, ...closed, type: 'comand' }, copy])), async ({ hooks }) => {
      const { verdict, outcomes } = await hooks.fire('BeforeTool', call);
      expect([verdict.kind, outcomes.map(({ status }) => status)]).toEqual(['deny', ['skipped', 'succeeded']]);
    });
  });

  test('that is invalid withholds the result of a tool', async () => {
    const invalid = { name: 'redacts', type: 'comand', command: redacts, onError: 'block' };
    expect(JSON.stringify((await readSecret(onEvent('AfterTool', group([invalid])))).result)).not.toContain('hunter2');
  });

  const pre = (hook: object): CreateHooksOptions => ({
    dialect: 'claude-code',
    settings: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', ...hook }] }] } },
  });

  attack(
    {
      id: 'async-guard',
      attacker: 'the input of a tool, which a guard repeats',
      attempt:
        'makes a guard with "onError": "block" print {"async": true} as its first line, so that the agent does not wait for its deny',
      result: 'the agent waits for the guard, with a warning, and its deny counts',
    },
    () =>
      withEndingHooks(pre({ command: 'echo \'{"async": true}\'; echo "too late" >&2; exit 2', onFailure: 'block' }), async ({ hooks }) => {
        const { verdict, outcomes } = await hooks.fire('BeforeTool', call);
        expect(verdict).toMatchObject({ kind: 'deny', reason: 'too late' });
        expect(warningCodes(outcomes[0] as HookOutcome)).toEqual(['async_ignored']);
      }),
  );

  /** Fires the event with an http guard whose server sends this text and ends the connection. */
  async function askServer(response: string, onFailure: 'block' | 'continue' = 'block') {
    const server = createServer((socket) => socket.once('data', () => socket.end(response)).on('error', () => {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/guard`;
    try {
      const http = { allowPrivateAddresses: true };
      return await withEndingHooks({ ...pre({ type: 'http', url, onFailure }), http }, ({ hooks }) => hooks.fire('BeforeTool', call));
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }

  attack(
    {
      id: 'http-guard-cut-off',
      attacker: 'no attacker: a server that ends, or a proxy that drops its connection',
      attempt:
        'an http guard with "onError": "block" ends its connection after the headers, which state no length, so that its deny is missing',
      result: 'an empty answer without a length is a failure, so the call is denied',
    },
    async () => {
      for (const response of ['HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n \n']) {
        const { verdict, outcomes } = await askServer(response);
        expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('Content-Length: 0') });
        expect(outcomes).toMatchObject([{ status: 'failed', failedClosed: true, warnings: [{ code: 'request_failed' }, {}] }]);
      }
    },
  );

  test.each([
    ['with a length', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['with the status 204', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ])('has no opinion if its server sends an empty answer %s', async (_, response) => {
    const { verdict, outcomes } = await askServer(response);
    expect([verdict.kind, outcomes[0]?.status, outcomes[0]?.warnings]).toEqual(['none', 'succeeded', []]);
  });

  test('is needed for that: an empty answer without a length is not an opinion of other hooks', async () => {
    const { verdict, outcomes } = await askServer('HTTP/1.1 200 OK\r\n\r\n', 'continue');
    expect([verdict.kind, outcomes[0]?.status, outcomes[0]?.warnings]).toEqual(['none', 'succeeded', []]);
  });

  test('is waited for if its server asks for the background, with a warning', async () => {
    const { outcomes } = await askServer('HTTP/1.1 200 OK\r\n\r\n{\n  "async": true\n}');
    const message = expect.stringContaining('The event waited for the hook, because its failures deny. Remove that field.');
    expect(outcomes).toMatchObject([{ status: 'succeeded', warnings: [{ code: 'async_ignored', message }] }]);
  });

  test('is waited for if its settings say "async"', async () => {
    await withEndingHooks(pre({ command: 'exit 2', onFailure: 'block', async: true }), async ({ hooks }) => {
      expect((await hooks.fire('BeforeTool', call)).verdict.kind).toBe('deny');
      expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_field', message: expect.stringContaining('always waits for') }]);
    });
  });
});
