import type {
  AfterModelHookOutput,
  AggregatedHookResult,
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  BeforeToolSelectionHookOutput,
  HookOutput,
} from '@tenterhook/protocol';
import { fireEvent, fireTool, outcomeAt, says, warningCodes } from '../support/fire-hooks.js';
import { eventFields, type SeedEvent } from './fired-events.js';

const fire = (eventName: SeedEvent, output: unknown) => fireEvent(eventName, eventFields[eventName], [says(output)]);
const fireSpecific = (eventName: SeedEvent, hookSpecificOutput: unknown) => fire(eventName, { hookSpecificOutput });

/** A known field of the wrong type is dropped: that the right type counts says that the field is read at all. */
async function expectDropped(output: unknown): Promise<void> {
  const result = await fire('BeforeTool', output);
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['wrong_type']);
}

describe('the fields that every output may have', () => {
  test('continue: false stops, true and nothing go on', async () => {
    expect((await fire('BeforeTool', { continue: false })).verdict.stop).toBe(true);
    expect((await fire('BeforeTool', { continue: true })).verdict.stop).toBe(false);
    expect((await fire('BeforeTool', {})).verdict.stop).toBe(false);
    await expectDropped({ continue: 'false' });
  });

  test('stopReason: says why it stopped, and only then', async () => {
    const stopped = await fire('BeforeTool', { continue: false, stopReason: 'budget spent' });
    expect(stopped.verdict.stopReason).toBe('budget spent');
    expect(stopped.finalOutput?.getEffectiveReason()).toBe('budget spent');
    expect((await fire('BeforeTool', { continue: true, stopReason: 'budget spent' })).verdict).not.toHaveProperty('stopReason');
    await expectDropped({ stopReason: 7 });
  });

  test('suppressOutput: is true where a hook says so', async () => {
    expect((await fire('AfterTool', { suppressOutput: true })).finalOutput?.suppressOutput).toBe(true);
    expect((await fire('AfterTool', { suppressOutput: false })).finalOutput?.suppressOutput).not.toBe(true);
    await expectDropped({ suppressOutput: 'yes' });
  });

  test('systemMessage: is the message', async () => {
    const result = await fire('BeforeTool', { systemMessage: 'use tabs' });
    expect(result.finalOutput?.systemMessage).toBe('use tabs');
    expect(result.verdict.kind).toBe('none');
    await expectDropped({ systemMessage: ['use tabs'] });
  });

  test('decision: decides; null and nothing decide nothing', async () => {
    expect((await fire('BeforeTool', { decision: 'deny' })).verdict.kind).toBe('deny');
    for (const output of [{ decision: null }, {}]) {
      const result = await fire('BeforeTool', output);
      expect(result.verdict.kind).toBe('none');
      // Treated as allow: the operation goes on.
      expect(result.finalOutput?.decision).toBe('allow');
    }
    await expectDropped({ decision: 'DENY' });
  });

  test('is the reason of the decision', async () => {
    const result = await fire('BeforeTool', { decision: 'deny', reason: 'not today' });
    expect(result.verdict.reason).toBe('not today');
    expect(result.finalOutput?.getBlockingError()).toEqual({ blocked: true, reason: 'not today' });
    await expectDropped({ reason: {} });
  });

  test('hookSpecificOutput: holds the data of the event', async () => {
    const data: [SeedEvent, string, unknown][] = [
      ['BeforeTool', 'tool_input', { path: 'b.txt' }],
      ['AfterTool', 'additionalContext', 'note'],
      ['BeforeModel', 'llm_request', { model: 'm-9' }],
      ['BeforeModel', 'llm_response', { text: 'x' }],
      ['AfterModel', 'llm_response', { text: 'x' }],
      ['BeforeToolSelection', 'toolConfig', { mode: 'ANY' }],
    ];
    for (const [eventName, field, value] of data) {
      const result = await fireSpecific(eventName, { [field]: value });
      const merged = result.finalOutput?.hookSpecificOutput?.[field];
      if (typeof value === 'string') expect(merged).toBe(value);
      else expect(merged).toMatchObject(value as object);
    }
    await expectDropped({ hookSpecificOutput: 'x' });
  });
});

describe('the words of a decision', () => {
  test.each<[decision: string, kind: string]>([
    ['ask', 'ask'],
    ['block', 'deny'],
    ['deny', 'deny'],
    ['approve', 'allow'],
    ['allow', 'allow'],
  ])('%s means %s', async (decision, kind) => {
    const result = await fireTool([says({ decision, reason: 'r' })]);
    expect(result.verdict).toMatchObject({ kind, reason: 'r' });
    expect(result.finalOutput?.isBlockingDecision()).toBe(kind === 'deny');
  });

  test('undefined: no decision is no opinion, also beside a reason', async () => {
    expect((await fireTool([says({ reason: 'r' })])).verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  });
});

describe('the common fields on every event that has an output of its own', () => {
  test.each<[eventName: SeedEvent]>([['BeforeTool'], ['AfterTool'], ['BeforeModel'], ['AfterModel'], ['BeforeToolSelection']])(
    '%s reads all of them',
    async (eventName) => {
      const output = { continue: false, stopReason: 's', suppressOutput: true, systemMessage: 'm', decision: 'deny', reason: 'r' };
      const result = await fire(eventName, output);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r', stop: true, stopReason: 's' });
      expect(result.finalOutput).toMatchObject(output);
    },
  );
});

describe('the data of each event', () => {
  const llm_response = { text: 'x' };
  test.each<[eventName: SeedEvent, hookSpecificOutput: Record<string, unknown>]>([
    ['BeforeTool', { tool_input: { path: 'b.txt' } }],
    ['AfterTool', { additionalContext: 'note' }],
    ['BeforeModel', { llm_response }],
    ['AfterModel', { llm_response }],
    ['BeforeToolSelection', { toolConfig: { mode: 'ANY' } }],
  ])('%s reads it from hookSpecificOutput, and nowhere else', async (eventName, hookSpecificOutput) => {
    const [field] = Object.keys(hookSpecificOutput) as [string];
    expect((await fireSpecific(eventName, hookSpecificOutput)).finalOutput?.hookSpecificOutput).toHaveProperty(field);
    expect((await fire(eventName, hookSpecificOutput)).finalOutput?.hookSpecificOutput).toBeUndefined();
  });

  test.each<[eventName: SeedEvent]>([['BeforeTool'], ['AfterTool'], ['BeforeModel'], ['AfterModel'], ['BeforeToolSelection']])(
    '%s is the name it expects there',
    async (eventName) => {
      const right = await fireSpecific(eventName, { hookEventName: eventName });
      expect(outcomeAt(right, 0).warnings).toEqual([]);
      expect(right.finalOutput?.hookSpecificOutput).toEqual({ hookEventName: eventName });
      expect(warningCodes(outcomeAt(await fireSpecific(eventName, { hookEventName: 'Notification' }), 0))).toEqual(['wrong_event']);
    },
  );

  test('permissionDecision: is the decision under its older name (decision 10)', async () => {
    const deciding = async (permissionDecision: string, others: HookOutput = {}) =>
      (await fire('BeforeTool', { ...others, hookSpecificOutput: { permissionDecision } })).verdict.kind;
    expect(await deciding('deny')).toBe('deny');
    expect(await deciding('ask')).toBe('ask');
    expect(await deciding('deny', { decision: 'allow' })).toBe('deny');
    expect(await deciding('allow', { decision: 'deny' })).toBe('deny');
  });

  test('permissionDecisionReason: is its reason', async () => {
    const result = await fireSpecific('BeforeTool', { permissionDecision: 'deny', permissionDecisionReason: 'older reason' });
    expect(result.verdict.reason).toBe('older reason');
  });

  test('tool_input: overrides fields of the input (decision 16)', async () => {
    const result = await fireSpecific('BeforeTool', { tool_input: { path: '/safe/a.txt' } });
    expect((result.finalOutput as BeforeToolHookOutput).getModifiedToolInput()).toEqual({ path: '/safe/a.txt', content: 'x' });
  });

  test('additionalContext: is context for the model', async () => {
    const result = await fireSpecific('AfterTool', { additionalContext: 'lint: 3 warnings' });
    expect(result.finalOutput?.getAdditionalContext()).toBe('lint: 3 warnings');
  });

  test('llm_request: is merged with the request (decision 12)', async () => {
    const result = await fireSpecific('BeforeModel', { llm_request: { config: { temperature: 0 } } });
    const { llm_request } = eventFields.BeforeModel;
    expect(result.finalOutput?.hookSpecificOutput?.['llm_request']).toEqual({
      ...llm_request,
      config: { ...llm_request.config, temperature: 0 },
    });
  });

  test('llm_response: is the response in place of a call', async () => {
    const result = await fireSpecific('BeforeModel', { llm_response: { text: 'cached' } });
    expect((result.finalOutput as BeforeModelHookOutput).getSyntheticResponse()).toEqual({ text: 'cached' });
  });

  test('llm_response: changes the response, and leaves what it does not name', async () => {
    const result = await fireSpecific('AfterModel', { llm_response: { usageMetadata: { totalTokenCount: 9 } } });
    expect((result.finalOutput as AfterModelHookOutput).getModifiedResponse()).toEqual({
      ...eventFields.AfterModel.llm_response,
      usageMetadata: { totalTokenCount: 9 },
    });
  });

  test('toolConfig: chooses mode and names', async () => {
    const toolConfig = { mode: 'ANY', allowedFunctionNames: ['glob'] };
    const result: AggregatedHookResult = await fireSpecific('BeforeToolSelection', { toolConfig });
    const selection = result.finalOutput as BeforeToolSelectionHookOutput;
    expect(selection.applyToolConfigModifications({ tools: [] })).toEqual({ tools: [], toolConfig });
  });
});
