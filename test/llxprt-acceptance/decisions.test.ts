import { fireEvent, fireTool, outcomeAt, says, warningCodes } from '../support/fire-hooks.js';

const deny = says({ decision: 'deny', reason: 'no' });
const allow = says({ decision: 'allow', reason: 'ok' });
const ask = says({ decision: 'ask', reason: 'sure?' });
const permission = (decision: string) =>
  says({ hookSpecificOutput: { permissionDecision: decision, permissionDecisionReason: `p-${decision}` } });
const [first, second] = ['llxprt/settings/BeforeTool/0.0', 'llxprt/settings/BeforeTool/0.1'];

test('1. silence with exit 0 is no opinion, and the merged decision is allow', async () => {
  const result = await fireTool(['true']);
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(result.finalOutput?.decision).toBe('allow');
  expect(result.finalOutput?.systemMessage).toBeUndefined();
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 0, warnings: [] });
  expect(result).toMatchObject({ success: true, allOutputs: [], errors: [] });
});

test.each(['deny', 'block'])('2. the decision "%s" with exit 0 denies, and is no failure', async (decision) => {
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
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 1, warnings: [{ message: expect.stringContaining('broke') }] });
  expect(result.finalOutput?.systemMessage).toBeUndefined();
  expect(result.finalOutput?.decision).toBeUndefined();
  expect(result).toMatchObject({ success: false, errors: [{ code: 'exit_code' }] });
});

test('8. a deny printed with exit 1 does not count, and a second warning says so', async () => {
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

test.each(['42', '[1]', 'true', 'null'])('12. %s on stdout is no opinion', async (text) => {
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

test('17. ask outranks allow and yields to deny, and is no block by itself', async () => {
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
