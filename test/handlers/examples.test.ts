import { jest } from '@jest/globals';
import { type HandlerEvent, Hook, HookEngine, HookEventType, HookMatcher, type PreToolUseEvent } from '@tenterhook/handlers';

/** The examples for which handlers were designed, each followed by what it promises. */

let engine = new HookEngine();
beforeEach(() => {
  engine = new HookEngine();
});
afterEach(() => {
  jest.restoreAllMocks();
});

function toolUse(tool: string, args: object = {}, fields: Partial<PreToolUseEvent> = {}): HandlerEvent {
  const payload = { session_id: 'session-123', tool, args, working_directory: '/workspace', recent_tools: [], ...fields };
  return { event_type: 'pre_tool_use', payload };
}

function toolDone(tool: string, args: object = {}): HandlerEvent {
  const result = { success: true, output: 'ok', exit_code: 0, duration_ms: 812 };
  return { event_type: 'post_tool_use', payload: { session_id: 'session-123', tool, args, result } };
}

function generated(total_tokens: number): HandlerEvent {
  const usage = { prompt_tokens: 0, completion_tokens: total_tokens, total_tokens };
  const payload = { session_id: 'session-123', prompt: 'p', response_text: 'r', tool_calls: [], usage, duration_ms: 5 };
  return { event_type: 'generate_end', payload };
}

function generating(session_id: string): HandlerEvent {
  return {
    event_type: 'generate_start',
    payload: { session_id, prompt: 'p', model_provider: 'acme', model_name: 'm-1', available_tools: [] },
  };
}

test('block dangerous commands', async () => {
  engine.register(
    Hook.new('block-rm-rf', HookEventType.PreToolUse).with_matcher(HookMatcher.command('rm\\s+-rf')).with_config({ priority: 1 }),
  );

  engine.register_handler('block-rm-rf', {
    // @ts-expect-error: an unused parameter, which these settings of the compiler refuse, is not an error of a type.
    // biome-ignore lint/correctness/noUnusedFunctionParameters: as the source document has it.
    handle: (event) => ({
      action: 'Block',
      reason: 'Recursive force deletion is not allowed',
    }),
  });

  const blocked = { action: 'Block', reason: 'Recursive force deletion is not allowed' };
  expect(await engine.fire(toolUse('Bash', { command: 'rm -rf /' }))).toMatchObject(blocked);
  expect(await engine.fire(toolUse('Bash', { command: 'rm a.txt' }))).toMatchObject({ action: 'Continue' });
});

test('restrict file access', async () => {
  engine.register(Hook.new('restrict-writes', HookEventType.PreToolUse).with_matcher(HookMatcher.tool('Write')));

  engine.register_handler('restrict-writes', {
    handle: (event) => {
      const path = event.payload.args.file_path;
      if (!path.startsWith('/workspace/')) {
        return {
          action: 'Block',
          reason: `Write access denied: ${path} is outside workspace`,
        };
      }
      return { action: 'Continue' };
    },
  });

  const reason = 'Write access denied: /etc/passwd is outside workspace';
  expect(await engine.fire(toolUse('Write', { file_path: '/etc/passwd' }))).toMatchObject({ action: 'Block', reason });
  expect(await engine.fire(toolUse('Write', { file_path: '/workspace/a.txt' }))).toEqual({ action: 'Continue', warnings: [] });
  expect(await engine.fire(toolUse('Read', { file_path: '/etc/passwd' }))).toEqual({ action: 'Continue', warnings: [] });
});

test('modify tool arguments', async () => {
  engine.register(Hook.new('add-timeout', HookEventType.PreToolUse).with_matcher(HookMatcher.tool('Bash')));

  engine.register_handler('add-timeout', {
    handle: (event) => {
      const args = event.payload.args;
      return {
        action: 'Continue',
        modified: {
          ...args,
          timeout: args.timeout || 30000, // The default if the call has none
        },
      };
    },
  });

  expect(await engine.fire(toolUse('Bash', { command: 'ls' }))).toMatchObject({ modified: { command: 'ls', timeout: 30_000 } });
  expect(await engine.fire(toolUse('Bash', { command: 'ls', timeout: 5 }))).toMatchObject({ modified: { command: 'ls', timeout: 5 } });
});

test('audit trail', async () => {
  let tell: (line: string) => void = () => {};
  const logged = new Promise<string>((resolve) => {
    tell = resolve;
  });
  jest.spyOn(console, 'log').mockImplementation((line) => tell(line));

  engine.register(Hook.new('audit-log', HookEventType.PostToolUse).with_config({ async_execution: true, priority: 1000 }));

  engine.register_handler('audit-log', {
    handle: (event) => {
      const { tool, args, result } = event.payload;
      console.log(
        JSON.stringify({
          timestamp: new Date().toISOString(),
          session: event.payload.session_id,
          tool,
          args,
          success: result.success,
          duration_ms: result.duration_ms,
        }),
      );
      return { action: 'Continue' };
    },
  });

  expect(await engine.fire(toolDone('Bash', { command: 'ls' }))).toEqual({ action: 'Continue', warnings: [] });
  expect(JSON.parse(await logged)).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-/),
    session: 'session-123',
    tool: 'Bash',
    args: { command: 'ls' },
    success: true,
    duration_ms: 812,
  });
});

test('token budget', async () => {
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => {});

  // biome-ignore lint/style/useConst: as the source document has it.
  let sessionTokens = new Map<string, number>();

  engine.register(Hook.new('token-budget', HookEventType.GenerateEnd));

  engine.register_handler('token-budget', {
    handle: (event) => {
      const { session_id, usage } = event.payload;
      const current = sessionTokens.get(session_id) || 0;
      const updated = current + usage.total_tokens;
      sessionTokens.set(session_id, updated);

      if (updated > 100000) {
        console.warn(`Session ${session_id} exceeded 100k tokens`);
      }
      return { action: 'Continue' };
    },
  });

  await engine.fire(generated(60_000));
  expect(warned).not.toHaveBeenCalled();
  await engine.fire(generated(60_000));
  expect(warned.mock.calls).toEqual([['Session session-123 exceeded 100k tokens']]);
  expect([...sessionTokens]).toEqual([['session-123', 120_000]]);
});

test('rate-limit retry', async () => {
  const isRateLimited = (sessionId: string) => sessionId === 'busy';

  engine.register(Hook.new('rate-limit-retry', HookEventType.GenerateStart));

  engine.register_handler('rate-limit-retry', {
    handle: (event) => {
      // The host knows whether the session is limited
      if (isRateLimited(event.payload.session_id)) {
        return {
          action: 'Retry',
          retry_delay_ms: 5000, // Five seconds
        };
      }
      return { action: 'Continue' };
    },
  });

  expect(await engine.fire(generating('busy'))).toEqual({ action: 'Retry', retry_delay_ms: 5000, warnings: [] });
  expect(await engine.fire(generating('idle'))).toEqual({ action: 'Continue', warnings: [] });
});

test('priorities, and hooks as plain objects', async () => {
  engine.register({
    id: 'audit-log',
    event_type: 'pre_tool_use',
    config: { priority: 1000 },
  });

  engine.register({
    id: 'security-check',
    event_type: 'pre_tool_use',
    config: { priority: 10 },
  });

  const calls: string[] = [];
  for (const { id } of engine.all_hooks()) engine.register_handler(id, { handle: () => void calls.push(id) });
  await engine.fire(toolUse('Bash'));
  expect(calls).toEqual(['security-check', 'audit-log']);
});

test('async execution', async () => {
  engine.register({
    id: 'metrics-reporter',
    event_type: 'post_tool_use',
    config: { async_execution: true },
  });

  const calls: string[] = [];
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  engine.register_handler('metrics-reporter', {
    handle: async () => {
      await gate;
      calls.push('reported');
      end();
    },
  });
  expect(await engine.fire(toolDone('Bash'))).toEqual({ action: 'Continue', warnings: [] });
  expect(calls).toEqual([]);
  go();
  await ended;
  expect(calls).toEqual(['reported']);
});

test('async for logging', async () => {
  engine.register(Hook.new('logger', HookEventType.PostToolUse).with_config({ async_execution: true }));

  const logged = new Promise<string>((resolve) => {
    engine.register_handler('logger', { handle: ({ payload }) => resolve(payload.tool) });
  });
  expect(await engine.fire(toolDone('Bash'))).toEqual({ action: 'Continue', warnings: [] });
  expect(await logged).toBe('Bash');
});

describe('matchers', () => {
  /** Returns the indexes of the events for which a hook with this matcher is called. */
  async function calledFor(matcher: object, events: readonly HandlerEvent[]): Promise<number[]> {
    const calls: number[] = [];
    let current = 0;
    engine.register({ id: 'h', event_type: 'pre_tool_use', matcher });
    engine.register_handler('h', { handle: () => void calls.push(current) });
    for (const event of events) {
      await engine.fire(event);
      current += 1;
    }
    return calls;
  }

  test('by tool', async () => {
    const matcher = { tool: 'Bash' };
    expect(await calledFor(matcher, [toolUse('Bash'), toolUse('Read')])).toEqual([0]);
  });

  test('by path: all files with an ending', async () => {
    const matcher = { path_pattern: '*.rs' };
    const paths = ['src/main.rs', 'main.rs', 'main.py'];
    expect(
      await calledFor(
        matcher,
        paths.map((file_path) => toolUse('Write', { file_path })),
      ),
    ).toEqual([0, 1]);
  });

  test('by path: files below a directory', async () => {
    const matcher = { path_pattern: 'src/**/*.ts' };
    const paths = ['src/a.ts', 'src/d/e/a.ts', 'lib/a.ts'];
    expect(
      await calledFor(
        matcher,
        paths.map((file_path) => toolUse('Write', { file_path })),
      ),
    ).toEqual([0, 1]);
  });

  test('by command: anywhere in it', async () => {
    const matcher = { command_pattern: 'rm\\s+-rf' };
    const commands = ['sudo rm  -rf x', 'rm x'];
    expect(
      await calledFor(
        matcher,
        commands.map((command) => toolUse('Bash', { command })),
      ),
    ).toEqual([0]);
  });

  test('by command: at its start', async () => {
    const matcher = { command_pattern: '^git\\s+' };
    const commands = ['git push', 'cd x && git push'];
    expect(
      await calledFor(
        matcher,
        commands.map((command) => toolUse('Bash', { command })),
      ),
    ).toEqual([0]);
  });

  test('by session', async () => {
    const matcher = { session_id: 'session-123' };
    expect(await calledFor(matcher, [toolUse('Bash'), toolUse('Bash', {}, { session_id: 'other' })])).toEqual([0]);
  });

  test('combined', async () => {
    const matcher = {
      tool: 'Bash',
      command_pattern: 'rm',
      session_id: 'session-123',
    };
    const rm = { command: 'rm x' };
    const others = [toolUse('Shell', rm), toolUse('Bash', { command: 'ls' }), toolUse('Bash', rm, { session_id: 'other' })];
    expect(await calledFor(matcher, [toolUse('Bash', rm), ...others])).toEqual([0]);
  });

  test('none: every tool', async () => {
    const matcher = {};
    expect(await calledFor(matcher, [toolUse('Bash'), toolUse('Read')])).toEqual([0, 1]);
  });

  test('a specific tool and pattern', async () => {
    const matcher = {
      tool: 'Bash',
      command_pattern: '^sudo\\s+',
    };
    expect(await calledFor(matcher, [toolUse('Bash', { command: 'sudo ls' }), toolUse('Bash', { command: 'ls' })])).toEqual([0]);
  });
});

test('errors handled by the handler', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  const work = () => {
    throw new Error('disk full');
  };
  engine.register(Hook.new('my-hook', HookEventType.PreToolUse));

  engine.register_handler('my-hook', {
    // @ts-expect-error: as above.
    // biome-ignore lint/correctness/noUnusedFunctionParameters: as the source document has it.
    handle: (event) => {
      try {
        work();
        return { action: 'Continue' };
      } catch (error) {
        console.error('Hook error:', error);
        return { action: 'Continue' }; // A broken hook blocks nothing
      }
    },
  });

  expect(await engine.fire(toolUse('Bash'))).toEqual({ action: 'Continue', warnings: [] });
  expect(logged).toHaveBeenCalledTimes(1);
});
