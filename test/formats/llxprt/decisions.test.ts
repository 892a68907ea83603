import type { BeforeModelHookOutput } from '@tenterhook/protocol';
import { fireEvent, fireTool, outcomeAt, says, settingsOf, warningCodes, withEndingHooks } from '../../support/fire-hooks.js';

describe('decisions', () => {
  const deny = says({ decision: 'deny', reason: 'no' });
  const allow = says({ decision: 'allow', reason: 'ok' });
  const ask = says({ decision: 'ask', reason: 'sure?' });
  const permission = (decision: string) =>
    says({ hookSpecificOutput: { permissionDecision: decision, permissionDecisionReason: `p-${decision}` } });
  const [first, second] = ['llxprt/settings/BeforeTool/0.0', 'llxprt/settings/BeforeTool/0.1'];

  test('1. silence with exit 0 is not an opinion, and the merged decision is allow', async () => {
    const result = await fireTool(['true']);
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    expect(result.finalOutput?.decision).toBe('allow');
    expect(result.finalOutput?.systemMessage).toBeUndefined();
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 0, warnings: [] });
    expect(result).toMatchObject({ success: true, allOutputs: [], errors: [] });
  });

  test.each(['deny', 'block'])('2. the decision "%s" with exit 0 denies, and is not a failure', async (decision) => {
    const result = await fireTool([says({ decision, reason: 'no' })]);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
    expect(result.finalOutput).toMatchObject({ decision: 'deny', reason: 'no' });
    expect(outcomeAt(result, 0).status).toBe('blocked');
    expect(result.success).toBe(true);
  });

  test('3. a deny object with exit 2 has the reason of the object, not stderr', async () => {
    const result = await fireTool([`${deny}; echo other >&2; exit 2`]);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(result.success).toBe(false);
  });

  test.each([
    ['stdout', 'echo because; exit 2'],
    ['stderr', 'echo because >&2; exit 2'],
  ])('4. exit 2 takes its reason from %s when that is all there is', async (_stream, command) => {
    expect((await fireTool([command])).verdict).toMatchObject({ kind: 'deny', reason: 'because' });
  });

  test('5. a silent exit 2 denies with a reason that names the hook and the code', async () => {
    const result = await fireTool([{ name: 'guard', command: 'exit 2' }]);
    expect(result.verdict.kind).toBe('deny');
    expect(result.verdict.reason).toMatch(/guard.*2/);
  });

  test('6. exit 2 denies although stdout says allow', async () => {
    const result = await fireTool([`${allow}; exit 2`]);
    expect(result.verdict.kind).toBe('deny');
    expect(warningCodes(outcomeAt(result, 0))).toContain('decision_ignored');
  });

  test('7. exit 1 lets the tool run, and tells the user and not the model', async () => {
    const result = await fireTool(['echo broke >&2; exit 1']);
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'failed',
      exitCode: 1,
      warnings: [{ message: expect.stringContaining('broke') }],
    });
    expect(result.finalOutput?.systemMessage).toBeUndefined();
    expect(result.finalOutput?.decision).toBeUndefined();
    expect(result).toMatchObject({ success: false, errors: [{ code: 'exit_code' }] });
  });

  test('8. a deny printed with exit 1 does not count, with a second warning', async () => {
    const result = await fireTool([`${deny}; exit 1`]);
    expect(result.verdict.kind).toBe('none');
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['exit_code', 'decision_ignored']);
  });

  test('9. a missing command fails open and is named', async () => {
    const result = await fireTool(['/no/such/hook.sh']);
    const message = expect.stringContaining('/no/such/hook.sh');
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 127, warnings: [{ code: 'missing_command', message }] });
  });

  test('9. a hook that is killed has a signal in its warning and no exit code', async () => {
    const outcome = outcomeAt(await fireTool(['kill -9 $$']), 0);
    expect(outcome).toMatchObject({
      status: 'failed',
      signal: 'SIGKILL',
      warnings: [{ code: 'signal', message: expect.stringContaining('SIGKILL') }],
    });
    expect(outcome).not.toHaveProperty('exitCode');
  });

  test('10. text with exit 0 is a system message and no decision', async () => {
    const result = await fireTool(['echo all good']);
    expect(result.verdict.kind).toBe('none');
    expect(result.finalOutput?.systemMessage).toBe('all good');
  });

  test('11. a deny object on its own line counts behind a log line', async () => {
    const result = await fireTool([`echo checking; ${deny}`]);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['mixed_output']);
  });

  test.each(['42', '[1]', 'true', 'null'])('12. %s on stdout is not an opinion', async (text) => {
    const result = await fireTool([`echo '${text}'`]);
    expect(result.verdict.kind).toBe('none');
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', warnings: [{ code: 'not_an_object' }] });
    expect(outcomeAt(result, 0)).not.toHaveProperty('output');
  });

  test.each([
    ['decision', '{"decision":"DENY"}'],
    ['continue', '{"continue":"false"}'],
  ])('13. the field %s in %s has no effect, and a warning', async (field, text) => {
    const result = await fireTool([`echo '${text}'`]);
    expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
    expect(outcomeAt(result, 0).warnings).toEqual([{ code: 'wrong_type', message: expect.stringContaining(field) }]);
  });

  test('14. the malformed output of one hook costs the deny of another nothing', async () => {
    const result = await fireTool(['exit 2', says({ hookSpecificOutput: 'x' })]);
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [first] });
    expect(result.outcomes.map(warningCodes)).toEqual([[], ['wrong_type']]);
  });

  test.each<[string, string[]]>([
    ['text after it', [deny, 'echo text']],
    ['text before it', ['echo text', deny]],
    ['an allow after it', [deny, allow]],
    ['an allow before it', [allow, deny]],
  ])('15. BeforeModel: a deny stays a deny with %s', async (_, hooks) => {
    const result = await fireEvent('BeforeModel', { llm_request: {} }, hooks);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(result.finalOutput?.isBlockingDecision()).toBe(true);
  });

  test('16. permissionDecision: the deny of one hook stands against the allow of another, and of the same one', async () => {
    const two = await fireTool([permission('deny'), permission('allow')]);
    expect(two.verdict).toMatchObject({ kind: 'deny', by: [first], reason: 'p-deny' });
    const one = await fireTool([says({ decision: 'allow', hookSpecificOutput: { permissionDecision: 'deny' } })]);
    expect(one.verdict.kind).toBe('deny');
  });

  test('17. ask outranks allow and yields to deny, and is not a block by itself', async () => {
    const withAllow = await fireTool([ask, allow]);
    expect(withAllow.verdict).toMatchObject({ kind: 'ask', reason: 'sure?', by: [first] });
    expect(withAllow.finalOutput?.isBlockingDecision()).toBe(false);
    expect((await fireTool([ask, deny])).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });

  test('18. the reason is that of the hook that decided, and it is named', async () => {
    expect((await fireTool([allow, deny])).verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [second] });
  });

  test('19. a stop beside an allow stops, with its stop reason', async () => {
    const result = await fireTool([says({ continue: false, stopReason: 's' }), allow]);
    expect(result.verdict).toMatchObject({ kind: 'allow', stop: true, stopReason: 's', stoppedBy: [first] });
    expect(result.finalOutput?.shouldStopExecution()).toBe(true);
    expect(result.finalOutput?.getEffectiveReason()).toBe('s');
  });
});

describe('matching', () => {
  const runsFor = async (matcher: string, toolName: string) =>
    outcomeAt(await fireTool(['true'], { matcher }, toolName), 0).status === 'succeeded';

  test.each<[string, string, boolean]>([
    ['write_*', 'write_file', true],
    ['write_*', 'overwrite_x', false],
    ['*_file', 'write_file', true],
    ['read', 'read_file', true],
    ['read', 'thread_dump', true],
    ['^read$', 'read_file', false],
    ['^read$', 'thread_dump', false],
  ])('20. the matcher %s and the tool %s: runs is %s', async (matcher, toolName, expected) => {
    expect(await runsFor(matcher, toolName)).toBe(expected);
  });

  test.each<['SessionStart' | 'Notification', string, Record<string, unknown>, string]>([
    ['SessionStart', 'startup|resume', { source: 'startup' }, 'succeeded'],
    ['SessionStart', 'startup|resume', { source: 'clear' }, 'skipped'],
    ['Notification', 'Other', { notification_type: 'ToolPermission', message: 'm', details: {} }, 'skipped'],
  ])('21. %s with the matcher %s and %j: %s', async (eventName, matcher, input, status) => {
    const outcome = outcomeAt(await fireEvent(eventName, input, ['true'], { matcher }), 0);
    expect(outcome.status).toBe(status);
    expect(outcome.skipReason).toBe(status === 'skipped' ? 'matcher' : undefined);
  });

  test('22. a matcher on BeforeModel is a warning at load, and the hook runs', async () => {
    await withEndingHooks({ settings: settingsOf('BeforeModel', ['true'], { matcher: 'gpt' }) }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored', severity: 'warning', path: 'hooks.BeforeModel[0].matcher' }]);
      expect(outcomeAt(await handler.fireBeforeModelEvent({}), 0).status).toBe('succeeded');
    });
  });

  test.each([123, '[bad'])('23. the matcher %j is a diagnostic, and the next group still blocks', async (matcher) => {
    const BeforeTool = [
      { matcher, hooks: [{ command: 'true' }] },
      { matcher: '*', hooks: [{ command: 'exit 2' }] },
    ];
    await withEndingHooks({ settings: { hooks: { BeforeTool } } }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([
        { code: 'invalid_matcher', severity: 'error', path: 'hooks.BeforeTool[0].matcher', remedy: expect.any(String) },
      ]);
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(result.verdict).toMatchObject({ kind: 'deny', by: ['llxprt/settings/BeforeTool/1.0'] });
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'skipped', skipReason: 'invalid', warnings: [{ code: 'invalid_matcher' }] });
      expect(hooks.explain('BeforeTool', { tool_name: 'write_file' }).hooks[0]).toMatchObject({ wouldRun: false, skipReason: 'invalid' });
    });
  });

  test('24. a pattern that is catastrophic elsewhere is answered, on a name of 20,000 letters', async () => {
    const name = 'a'.repeat(20_000);
    expect(await runsFor('^(a+)+$', `${name}!`)).toBe(false);
    expect(await runsFor('^(a+)+$', name)).toBe(true);
  });
});

describe('chaining', () => {
  const writes = (tool_input: Record<string, unknown>, seenIn = '/dev/null') =>
    `cat > ${seenIn}; ${says({ hookSpecificOutput: { tool_input } })}`;

  test.each([true, false])('27. tool_input accumulates for the tool; sequential: %s', async (sequential) => {
    const texts = [writes({ x: 1 }, 'h1.json'), writes({ y: 2 }, 'h2.json')];
    const hooks = texts.map((command) => ({ command, recheck: false }));
    await withEndingHooks({ settings: settingsOf('BeforeTool', hooks, { sequential }) }, async ({ handler, read }) => {
      const result = await handler.fireBeforeToolEvent('write_file', { a: 1 });
      const seen = ['h1.json', 'h2.json'].map((file) => JSON.parse(read(file) ?? '{}').tool_input);
      expect(seen).toEqual([{ a: 1 }, sequential ? { a: 1, x: 1 } : { a: 1 }]);
      expect(result.finalOutput?.hookSpecificOutput).toEqual({ tool_input: { a: 1, x: 1, y: 2 } });
      expect(result.changes).toEqual([
        { path: 'tool_input.x', hookId: 'llxprt/settings/BeforeTool/0.0', after: 1 },
        { path: 'tool_input.y', hookId: 'llxprt/settings/BeforeTool/0.1', after: 2 },
      ]);
    });
  });

  test('28. sequential: a block ends the chain', async () => {
    await withEndingHooks(
      { settings: settingsOf('BeforeTool', ['exit 2', 'touch ran'], { sequential: true }) },
      async ({ handler, read }) => {
        const result = await handler.fireBeforeToolEvent('write_file', {});
        expect(result.outcomes.map((outcome) => outcome.status)).toEqual(['blocked', 'skipped']);
        expect(outcomeAt(result, 1).skipReason).toBe('chain-ended');
        expect(read('ran')).toBeUndefined();
      },
    );
  });

  test('28. sequential: a failure does not end the chain, and what it printed rewrites nothing', async () => {
    const hooks = [`${writes({ x: 1 })}; exit 1`, 'cat > h2.json'];
    await withEndingHooks({ settings: settingsOf('BeforeTool', hooks, { sequential: true }) }, async ({ handler, read }) => {
      const result = await handler.fireBeforeToolEvent('write_file', { a: 1 });
      expect(result.outcomes.map((outcome) => outcome.status)).toEqual(['failed', 'succeeded']);
      expect(JSON.parse(read('h2.json') ?? '{}').tool_input).toEqual({ a: 1 });
      expect(result.changes).toEqual([]);
    });
  });

  test('29. a refusal of the final input can name the hook that wrote each field', async () => {
    const result = await fireTool([writes({ path: 7 }), writes({ mode: 'x' })], { sequential: true });
    expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toEqual({ path: 7, mode: 'x' });
    expect(result.changes[0]).toEqual({
      path: 'tool_input.path',
      hookId: 'llxprt/settings/BeforeTool/0.0',
      before: '/srv/app/a.txt',
      after: 7,
    });
  });
});

describe('conflicting rewrites', () => {
  const specific = (hookSpecificOutput: Record<string, unknown>) => says({ hookSpecificOutput });

  describe('two hooks set the temperature', () => {
    const sets = (temperature: number, seenIn: string) =>
      `cat >> ${seenIn}; echo >> ${seenIn}; ${specific({ llm_request: { config: { temperature } } })}`;
    const [a, b] = [sets(0, 'a.json'), sets(1, 'b.json')];
    const fire = (hooks: string[], sequential: boolean) =>
      withEndingHooks({ settings: settingsOf('BeforeModel', hooks, { sequential }) }, async ({ handler, read }) => {
        const result = await handler.fireBeforeModelEvent({ model: 'm-1', config: { temperature: 0.5 } });
        const request = (result.finalOutput as BeforeModelHookOutput).applyLLMRequestModifications({});
        const seen = ['a.json', 'b.json'].map((file) => {
          const lines = (read(file) ?? '').split('\n').filter((line) => line !== '');
          return lines.map((line) => JSON.parse(line).llm_request?.config?.temperature);
        });
        return { temperature: request.config?.temperature, seen, warnings: result.outcomes.map(warningCodes) };
      });

    test('each counts by itself', async () => {
      expect(await fire([a], false)).toMatchObject({ temperature: 0 });
      expect(await fire([b], false)).toMatchObject({ temperature: 1 });
    });

    test('parallel: side by side both see the original, the last in order is run again on what the other wrote, and wins', async () => {
      expect(await fire([a, b], false)).toEqual({ temperature: 1, seen: [[0.5], [0.5, 0]], warnings: [[], ['rewrite_conflict'], []] });
      expect(await fire([b, a], false)).toMatchObject({ temperature: 0 });
    });

    test('sequential: in a chain the second sees what the first wrote, and overrides or keeps it', async () => {
      expect(await fire([a, b], true)).toEqual({ temperature: 1, seen: [[0.5], [0]], warnings: [[], []] });
      expect(await fire([a, 'cat > b.json'], true)).toMatchObject({ temperature: 0, seen: [[0.5], [0]] });
    });
  });
});
