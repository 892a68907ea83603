import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import {
  AfterModelHookOutput,
  type AggregatedHookResult,
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  BeforeToolSelectionHookOutput,
  DefaultHookOutput,
  type HookOutput,
  processResult,
} from '@tenterhook/protocol';
import type { Hooks } from 'tenterhook';
import { fireEvent, fireTool, outcomeAt, says, settingsOf, warningCodes, withEndingHooks } from '../../support/fire-hooks.js';
import { eventFields, type LlxprtEvent } from '../../support/fired-events.js';

describe('outputs', () => {
  const fire = (eventName: LlxprtEvent, output: unknown) => fireEvent(eventName, eventFields[eventName], [says(output)]);
  const fireSpecific = (eventName: LlxprtEvent, hookSpecificOutput: unknown) => fire(eventName, { hookSpecificOutput });

  /** Checks that a known field of the wrong type is dropped. The case of the right type shows that the field is read at all. */
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

    test('suppressOutput: is true if a hook sets it', async () => {
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
        // It counts as an allow: the operation continues.
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
      const data: [LlxprtEvent, string, unknown][] = [
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

    test('undefined: no decision is not an opinion, also beside a reason', async () => {
      expect((await fireTool([says({ reason: 'r' })])).verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    });
  });

  describe('the common fields on every event that has an output of its own', () => {
    test.each<[eventName: LlxprtEvent]>([['BeforeTool'], ['AfterTool'], ['BeforeModel'], ['AfterModel'], ['BeforeToolSelection']])(
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
    test.each<[eventName: LlxprtEvent, hookSpecificOutput: Record<string, unknown>]>([
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

    test.each<[eventName: LlxprtEvent]>([['BeforeTool'], ['AfterTool'], ['BeforeModel'], ['AfterModel'], ['BeforeToolSelection']])(
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
});

describe('results', () => {
  const deny = says({ decision: 'deny', reason: 'no' });
  const stop = says({ continue: false, stopReason: 'enough', systemMessage: 'stopping', suppressOutput: true });

  afterEach(() => jest.restoreAllMocks());

  describe('the aggregated result', () => {
    test('success: is true when every hook was healthy, a deny with exit 0 included', async () => {
      expect((await fireTool(['true', deny])).success).toBe(true);
      expect((await fireTool(['true', 'exit 1'])).success).toBe(false);
      expect((await fireTool(['true', 'exit 2'])).success).toBe(false);
    });

    test('finalOutput: is what all outputs come to, with the methods of its class', async () => {
      const { finalOutput } = await fireTool([deny, says({ systemMessage: 'seen' })]);
      expect(finalOutput).toBeInstanceOf(DefaultHookOutput);
      expect(finalOutput).toMatchObject({ decision: 'deny', reason: 'no', systemMessage: 'seen' });
    });

    test('allOutputs: holds what each hook said, in plan order', async () => {
      const { allOutputs } = await fireTool([`until [ -e last ]; do sleep 0.02; done; ${deny}`, 'true', 'echo seen; touch last']);
      expect(allOutputs).toEqual([{ decision: 'deny', reason: 'no' }, { systemMessage: 'seen' }]);
    });

    test('errors: has an entry for each hook that failed, with a code, and no other entry', async () => {
      const { errors } = await fireTool(['echo broke >&2; exit 1', 'exit 2', 'true']);
      expect(errors).toEqual([{ code: 'exit_code', message: expect.stringContaining('broke'), hookId: 'llxprt/settings/BeforeTool/0.0' }]);
    });

    test('totalDuration: is the milliseconds of the whole event, of hooks side by side counted once (decision 33)', async () => {
      const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
      const waits = ['one', 'two'].map((name) => `until [ -e ended ]; do sleep 0.02; done; echo ${name}`);
      const result = await withEndingHooks({ settings: settingsOf('BeforeTool', waits) }, async ({ hooks, handler, projectDir }) => {
        const started = startsOf(hooks, waits.length);
        const fired = handler.fire('BeforeTool', eventFields.BeforeTool);
        await started;
        clock.mockReturnValue(3_500);
        writeFileSync(join(projectDir, 'ended'), '');
        return fired;
      });
      expect(result.outcomes.map(({ durationMs }) => durationMs)).toEqual([2_500, 2_500]);
      expect(result.totalDuration).toBe(2_500);
    });
  });

  /** Resolves when this number of hooks has started. */
  function startsOf({ bus }: Hooks, count: number): Promise<void> {
    return new Promise((resolve) => {
      let left = count;
      bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
        if (payload.kind === 'hook-started' && --left === 0) resolve();
      });
    });
  }

  describe('the processed result', () => {
    let stopped: AggregatedHookResult;
    let silent: AggregatedHookResult;
    beforeAll(async () => {
      [stopped, silent] = await Promise.all([fireTool([stop]), fireTool(['true'])]);
    });

    test('aggregated: keeps the result it was made of', () => {
      expect(processResult(stopped).aggregated).toBe(stopped);
    });

    test('shouldStop: says whether to stop', () => {
      expect([processResult(stopped).shouldStop, processResult(silent).shouldStop]).toEqual([true, false]);
    });

    test('stopReason: says why', () => {
      expect([processResult(stopped).stopReason, processResult(silent).stopReason]).toEqual(['enough', undefined]);
    });

    test('systemMessage: is the message to put in', () => {
      expect([processResult(stopped).systemMessage, processResult(silent).systemMessage]).toEqual(['stopping', undefined]);
    });

    test('suppressOutput: says whether to hide the output', () => {
      expect([processResult(stopped).suppressOutput, processResult(silent).suppressOutput]).toEqual([true, false]);
    });
  });

  describe('the output classes', () => {
    const outputOf = async (eventName: LlxprtEvent, output: unknown) =>
      (await fireEvent(eventName, eventFields[eventName], [says(output)])).finalOutput as DefaultHookOutput;
    const commonFields = {
      continue: false,
      stopReason: 's',
      suppressOutput: true,
      systemMessage: 'm',
      decision: 'deny',
      reason: 'r',
      hookSpecificOutput: { additionalContext: 'c' },
    };

    test('has every field of an output as its own', async () => {
      expect({ ...(await outputOf('AfterTool', commonFields)) }).toEqual(commonFields);
    });

    test('isBlockingDecision: is true for a deny and a block alone', async () => {
      const blocking = async (decision: string) => (await outputOf('BeforeTool', { decision })).isBlockingDecision();
      expect(await Promise.all(['deny', 'block', 'ask', 'allow', 'approve'].map(blocking))).toEqual([true, true, false, false, false]);
    });

    test('shouldStopExecution: is true after continue: false', async () => {
      expect((await outputOf('BeforeTool', { continue: false })).shouldStopExecution()).toBe(true);
      expect((await outputOf('BeforeTool', { decision: 'deny' })).shouldStopExecution()).toBe(false);
    });

    test('getEffectiveReason: is why it stops, else why it blocks, else nothing', async () => {
      expect((await outputOf('BeforeTool', commonFields)).getEffectiveReason()).toBe('s');
      expect((await outputOf('BeforeTool', { decision: 'deny', reason: 'r' })).getEffectiveReason()).toBe('r');
      expect((await outputOf('BeforeTool', {})).getEffectiveReason()).toBe('');
    });

    test('getAdditionalContext: is the context where there is one', async () => {
      expect((await outputOf('AfterTool', commonFields)).getAdditionalContext()).toBe('c');
      expect((await outputOf('AfterTool', {})).getAdditionalContext()).toBeUndefined();
    });

    test('getBlockingError: tells whether it blocks, and why', async () => {
      expect((await outputOf('BeforeTool', { decision: 'block', reason: 'r' })).getBlockingError()).toEqual({ blocked: true, reason: 'r' });
      expect((await outputOf('BeforeTool', { decision: 'allow', reason: 'r' })).getBlockingError()).toEqual({ blocked: false, reason: '' });
    });

    test.each<[eventName: LlxprtEvent, outputClass: new () => DefaultHookOutput]>([
      ['BeforeTool', BeforeToolHookOutput],
      ['BeforeModel', BeforeModelHookOutput],
      ['BeforeToolSelection', BeforeToolSelectionHookOutput],
      ['AfterModel', AfterModelHookOutput],
    ])('that of %s is one', async (eventName, outputClass) => {
      const output = await outputOf(eventName, { decision: 'deny', reason: 'r' });
      expect(output).toBeInstanceOf(outputClass);
      expect(output).toBeInstanceOf(DefaultHookOutput);
      expect(output.getBlockingError()).toEqual({ blocked: true, reason: 'r' });
    });

    test('getModifiedToolInput: is the input the tool is to get', async () => {
      const modified = async (output: unknown) => ((await outputOf('BeforeTool', output)) as BeforeToolHookOutput).getModifiedToolInput();
      expect(await modified({ hookSpecificOutput: { tool_input: { path: 'b.txt' } } })).toEqual({ path: 'b.txt', content: 'x' });
      expect(await modified({ decision: 'allow' })).toBeUndefined();
    });

    test('getSyntheticResponse: is the response in place of a call', async () => {
      const synthetic = async (output: unknown) =>
        ((await outputOf('BeforeModel', output)) as BeforeModelHookOutput).getSyntheticResponse();
      expect(await synthetic({ hookSpecificOutput: { llm_response: { text: 'x' } } })).toEqual({ text: 'x' });
      expect(await synthetic({ decision: 'deny' })).toBeUndefined();
    });

    test('applyLLMRequestModifications: puts what was changed onto a request', async () => {
      const llm_request = { model: 'm-9', config: { temperature: 0 } };
      const output = (await outputOf('BeforeModel', { hookSpecificOutput: { llm_request } })) as BeforeModelHookOutput;
      const target = eventFields.BeforeModel.llm_request;
      expect(output.applyLLMRequestModifications(structuredClone(target) as never)).toEqual({
        ...target,
        model: 'm-9',
        config: { ...target.config, temperature: 0 },
      });
    });

    test('applyToolConfigModifications: puts the tool config onto a request and keeps its tools', async () => {
      const toolConfig = { mode: 'ANY', allowedFunctionNames: ['glob'] };
      const output = (await outputOf('BeforeToolSelection', { hookSpecificOutput: { toolConfig } })) as BeforeToolSelectionHookOutput;
      expect(output.applyToolConfigModifications({ tools: ['all'], toolConfig: { mode: 'AUTO' } })).toEqual({ tools: ['all'], toolConfig });
    });

    test('getModifiedResponse: is the response that goes on', async () => {
      const modified = async (output: unknown) => ((await outputOf('AfterModel', output)) as AfterModelHookOutput).getModifiedResponse();
      const llm_response = { text: 'redacted', candidates: [{ content: { role: 'model', parts: ['redacted'] } }] };
      expect(await modified({ hookSpecificOutput: { llm_response } })).toMatchObject(llm_response);
      expect(await modified({ systemMessage: 'm' })).toBeUndefined();
    });
  });
});
