import type { AggregatedHookResult, BeforeToolSelectionHookOutput } from '@tenterhook/protocol';
import { fireEvent, says } from '../support/fire-hooks.js';
import { eventFields, type SeedEvent } from './fired-events.js';

const fire = (eventName: SeedEvent, outputs: unknown[]): Promise<AggregatedHookResult> =>
  fireEvent(eventName, eventFields[eventName], outputs.map(says));
const specific = (hookSpecificOutput: Record<string, unknown>) => ({ hookSpecificOutput });

describe('OR logic', () => {
  const events = ['BeforeTool', 'AfterTool'] as const;

  test.each(
    events.flatMap((eventName) => ['block', 'deny'].flatMap((word) => [[eventName, word, 0] as const, [eventName, word, 2] as const])),
  )(
    '[000/aggregation/or-decision/deny] [001/7.3/or-decision/deny] [003/aggregation/BeforeTool-AfterTool] %s: one %s (at place %d) wins',
    async (eventName, decision, place) => {
      const allow = { decision: 'allow', reason: 'fine' };
      const result = await fire(eventName, [allow, allow, allow].toSpliced(place, 1, { decision, reason: 'no' } as never));
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
      expect(result.finalOutput?.isBlockingDecision()).toBe(true);
      const nobody = await fire(eventName, [allow, allow]);
      expect(nobody.finalOutput?.isBlockingDecision()).toBe(false);
    },
  );

  test.each(events)('[000/aggregation/or-decision/messages] %s: reasons and system messages are joined', async (eventName) => {
    const say = (text: string) => ({ decision: 'deny', reason: `r${text}`, systemMessage: `m${text}` });
    const { finalOutput } = await fire(eventName, [say('1'), say('2')]);
    expect(finalOutput).toMatchObject({ reason: 'r1\nr2', systemMessage: 'm1\nm2' });
  });

  test.each(events)(
    '[001/7.3/or-decision/reasons] %s: the reasons of those who decided are joined by newline (decision 70)',
    async (name) => {
      const result = await fire(name, [
        { decision: 'deny', reason: 'one' },
        { decision: 'allow', reason: 'fine by me' },
        { decision: 'block', reason: 'two' },
      ]);
      expect(result.verdict.reason).toBe('one\ntwo');
      expect(result.finalOutput?.reason).toBe('one\ntwo');
      // The others' stand where they were said.
      expect(result.outcomes[1]?.output?.reason).toBe('fine by me');
    },
  );

  test.each(events)('[001/7.3/or-decision/system-messages] %s: system messages are joined', async (eventName) => {
    const result = await fire(eventName, [{ systemMessage: 'one' }, { decision: 'deny' }, { systemMessage: 'two' }]);
    expect(result.finalOutput?.systemMessage).toBe('one\ntwo');
  });

  test('[001/7.3/or-decision/additional-context] additional contexts are joined', async () => {
    const result = await fire('AfterTool', [specific({ additionalContext: 'one' }), {}, specific({ additionalContext: 'two' })]);
    expect(result.finalOutput?.getAdditionalContext()).toBe('one\ntwo');
  });

  test.each(events)(
    '[000/aggregation/or-decision/suppress-output] [001/7.3/or-decision/suppress-output] %s: one true is enough',
    async (eventName) => {
      for (const outputs of [
        [{ suppressOutput: true }, { suppressOutput: false }],
        [{ suppressOutput: false }, { suppressOutput: true }],
      ]) {
        expect((await fire(eventName, outputs)).finalOutput?.suppressOutput).toBe(true);
      }
      expect((await fire(eventName, [{ suppressOutput: false }, {}])).finalOutput?.suppressOutput).not.toBe(true);
    },
  );

  test.each(events)(
    '[000/aggregation/or-decision/default-allow] %s: allow is the decision where nobody blocks (decision 9)',
    async (name) => {
      expect((await fire(name, [{}, { systemMessage: 'm' }])).finalOutput?.decision).toBe('allow');
      expect((await fire(name, [{}, { decision: 'deny' }])).finalOutput?.decision).toBe('deny');
      expect((await fire(name, [{}, { decision: 'ask' }])).finalOutput?.decision).toBe('ask');
    },
  );

  test.each(events)('[001/7.3/or-decision/stop] %s: one continue: false stops', async (eventName) => {
    const result = await fire(eventName, [{ continue: true }, { continue: false, stopReason: 's' }, { decision: 'allow' }]);
    expect(result.verdict).toMatchObject({ stop: true, stopReason: 's' });
    expect((await fire(eventName, [{ continue: true }, { decision: 'allow' }])).verdict.stop).toBe(false);
  });
});

describe('field replacement', () => {
  const fields = { BeforeModel: 'llm_request', AfterModel: 'llm_response' } as const;
  const keys = { BeforeModel: 'model', AfterModel: 'text' } as const;

  test.each(['BeforeModel', 'AfterModel'] as const)(
    '[000/aggregation/field-replacement/last-wins] [001/7.3/field-replacement/last-wins] [003/aggregation/BeforeModel-AfterModel] %s: the later output counts',
    async (eventName) => {
      const say = (value: string) => ({ ...specific({ [fields[eventName]]: { [keys[eventName]]: value } }), note: value });
      const result = await fire(eventName, [say('one'), say('two')]);
      expect(result.finalOutput?.hookSpecificOutput?.[fields[eventName]]).toMatchObject({ [keys[eventName]]: 'two' });
      expect(result.finalOutput?.['note']).toBe('two');
    },
  );

  test.each(['BeforeModel', 'AfterModel'] as const)(
    '[000/aggregation/field-replacement/specific-output] [001/7.3/field-replacement/specific-output] %s: hookSpecificOutput is merged field by field',
    async (eventName) => {
      const written = { [fields[eventName]]: { [keys[eventName]]: 'one' } };
      const result = await fire(eventName, [specific({ ...written, a: 1, b: 1 }), specific({ b: 2, c: { d: 2 } })]);
      expect(result.finalOutput?.hookSpecificOutput).toMatchObject({ ...written, a: 1, b: 2, c: { d: 2 } });
    },
  );
});

describe('tool selection', () => {
  const select = (...configs: Record<string, unknown>[]) =>
    fire(
      'BeforeToolSelection',
      configs.map((toolConfig) => specific({ toolConfig })),
    ).then((result) => (result.finalOutput as BeforeToolSelectionHookOutput).hookSpecificOutput?.['toolConfig']);

  test('[000/aggregation/tool-selection/union] [001/7.3/union/names] [003/aggregation/BeforeToolSelection] names of all hooks are united', async () => {
    expect(await select({ allowedFunctionNames: ['a', 'b'] }, { allowedFunctionNames: ['b', 'c'] })).toMatchObject({
      allowedFunctionNames: ['a', 'b', 'c'],
    });
  });

  test.each([[0], [1]])(
    '[000/aggregation/tool-selection/none] [001/7.3/union/none] [003/aggregation/BeforeToolSelection] one NONE (at place %d) wins, and no tool is left',
    async (place) => {
      const configs = [{ mode: 'ANY', allowedFunctionNames: ['a'] }].toSpliced(place, 0, { mode: 'NONE' } as never);
      expect(await select(...configs)).toEqual({ mode: 'NONE', allowedFunctionNames: [] });
    },
  );

  test.each([
    [['AUTO', 'ANY'], 'ANY'],
    [['ANY', 'AUTO'], 'ANY'],
    [['AUTO', 'AUTO'], 'AUTO'],
  ])('[000/aggregation/tool-selection/any-before-auto] %j come to %s', async (modes, mode) => {
    expect(await select(...modes.map((each) => ({ mode: each })))).toMatchObject({ mode });
  });

  test.each([
    [['ANY', 'NONE', 'AUTO'], 'NONE'],
    [['AUTO', 'ANY'], 'ANY'],
    [['AUTO'], 'AUTO'],
  ])('[001/7.3/union/mode] the most restrictive of %j is %s', async (modes, mode) => {
    expect(await select(...modes.map((each) => ({ mode: each })))).toMatchObject({ mode });
  });

  test('[000/aggregation/tool-selection/sorted] [001/7.3/union/sorted] names are sorted, whoever said them first', async () => {
    const [one, two] = [{ allowedFunctionNames: ['d', 'a'] }, { allowedFunctionNames: ['c', 'b'] }];
    expect(await select(one, two)).toMatchObject({ allowedFunctionNames: ['a', 'b', 'c', 'd'] });
    expect(await select(two, one)).toMatchObject({ allowedFunctionNames: ['a', 'b', 'c', 'd'] });
  });
});
