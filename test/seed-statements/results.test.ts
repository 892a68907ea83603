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
  processResult,
} from '@tenterhook/protocol';
import type { Hooks } from 'tenterhook';
import { fireEvent, fireTool, says, settingsOf, withHooks } from '../support/fire-hooks.js';
import { eventFields, type SeedEvent } from './fired-events.js';

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

  test('errors: has an entry for each hook that failed, with a code, and none else', async () => {
    const { errors } = await fireTool(['echo broke >&2; exit 1', 'exit 2', 'true']);
    expect(errors).toEqual([{ code: 'exit_code', message: expect.stringContaining('broke'), hookId: 'llxprt/settings/BeforeTool/0.0' }]);
  });

  test('totalDuration: is the milliseconds of the whole event, of hooks side by side counted once (decision 33)', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const waits = ['one', 'two'].map((name) => `until [ -e ended ]; do sleep 0.02; done; echo ${name}`);
    const result = await withHooks({ settings: settingsOf('BeforeTool', waits) }, async ({ hooks, handler, projectDir }) => {
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

/** Resolves when so many hooks have started. */
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
  const outputOf = async (eventName: SeedEvent, output: unknown) =>
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

  test.each<[eventName: SeedEvent, outputClass: new () => DefaultHookOutput]>([
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
    const synthetic = async (output: unknown) => ((await outputOf('BeforeModel', output)) as BeforeModelHookOutput).getSyntheticResponse();
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
