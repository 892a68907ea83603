/** How several answers become one, which hooks answer at all, and how the answer travels. */
const verdict = 'packages/engine/src/aggregator/verdict.ts';
const merge = 'packages/engine/src/aggregator/merge-output.ts';
const aggregate = 'packages/engine/src/aggregator/aggregate.ts';
const rewrites = 'packages/engine/src/aggregator/compose-rewrite.ts';
const models = 'packages/protocol/src/llm-merge.ts';
const lattice = 'packages/protocol/src/hook-decision.ts';
const settings = 'packages/dialects/src/llxprt';
const answer = 'packages/engine/src/request-answer.ts';
const service = 'packages/engine/src/hook-service.ts';

const onEveryEvent = ['BeforeTool', 'AfterTool', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'].map(
  (name) => `000/${name}Output/is-a-HookOutput`,
);
const output = (field) => [`000/HookOutput/${field}`, `001/4.2/${field}`, `003/HookOutput/${field}`];
const aggregated = (field) => [`000/AggregatedHookResult/${field}`];

export const inversionsOfMerging = [
  {
    file: lattice,
    search: 'verdictKinds.indexOf(a) >= verdictKinds.indexOf(b) ? a : b',
    replace: 'verdictKinds.indexOf(a) <= verdictKinds.indexOf(b) ? a : b',
    ids: [
      '000/aggregation/or-decision/deny',
      '001/7.3/or-decision/deny',
      '003/aggregation/BeforeTool-AfterTool',
      '001/8.1/allow-against-block/result',
      '001/8.1/allow-against-block/hook-a',
      '001/8.1/allow-against-block/hook-b',
    ],
  },
  {
    file: verdict,
    search: '&& outcome.output?.continue === false;',
    replace: '&& outcome.output?.continue === true;',
    ids: [
      ...output('continue'),
      ...onEveryEvent,
      '001/7.3/or-decision/stop',
      '001/3.1/action/stop-the-agent',
      '001/3.2/action/stop-the-agent',
      '001/3.3/action/stop-the-agent',
      '001/3.4/action/stop-the-agent',
      '001/3.5/action/stop-the-agent',
    ],
  },
  {
    file: verdict,
    search: 'joined(stoppers.map((outcome) => outcome.output?.stopReason))',
    replace: 'joined([])',
    ids: output('stopReason'),
  },
  {
    file: verdict,
    search: 'joined(deciders.map((decider) => decider.reason',
    replace: 'joined(opinions.map((decider) => decider.reason',
    ids: ['001/7.3/or-decision/reasons'],
  },
  {
    file: verdict,
    search: 'joined(deciders.map((decider) => decider.reason',
    replace: "joined(deciders.map((decider) => decider.reason && ''",
    ids: output('reason'),
  },
  {
    file: verdict,
    search: "present.join('\\n')",
    replace: 'present.at(-1)',
    ids: [
      '000/aggregation/or-decision/messages',
      '001/7.3/or-decision/system-messages',
      '001/7.3/or-decision/additional-context',
      '003/components/HookAggregator',
    ],
  },
  { file: merge, search: 'joined(outputs.map((output) => output.systemMessage))', replace: 'joined([])', ids: output('systemMessage') },
  {
    file: merge,
    search: 'outputs.some((output) => output.suppressOutput === true)',
    replace: 'outputs.every((output) => output.suppressOutput === true)',
    ids: ['000/aggregation/or-decision/suppress-output', '001/7.3/or-decision/suppress-output'],
  },
  { file: merge, search: 'merged.suppressOutput = true;', replace: 'merged.suppressOutput = false;', ids: output('suppressOutput') },
  {
    file: merge,
    search: "merged.decision = 'allow';",
    replace: "merged.decision = 'deny';",
    ids: ['000/aggregation/or-decision/default-allow'],
  },
  {
    file: merge,
    search: 'const merged: Record<string, unknown> = spread(specifics);',
    replace: 'const merged: Record<string, unknown> = spread(specifics.slice(0, 1));',
    ids: ['000/aggregation/field-replacement/specific-output', '001/7.3/field-replacement/specific-output'],
  },
  {
    file: models,
    search: 'const merged = { ...current, ...writtenFields(patch, shown) };',
    replace: 'const merged = { ...writtenFields(patch, shown), ...current };',
    ids: [
      '000/aggregation/field-replacement/last-wins',
      '001/7.3/field-replacement/last-wins',
      '003/aggregation/BeforeModel-AfterModel',
      '001/3.3/action/modify-the-request',
      '001/3.3/action/inject-context',
      '001/8/BeforeModel/can-modify-input',
      '001/8/BeforeModel/can-inject-context',
    ],
  },
  {
    file: models,
    search: '{ ...current.config, ...writtenFields(patch.config, shown.config) }',
    replace: '{ ...writtenFields(patch.config, shown.config), ...current.config }',
    ids: [
      '001/8.1/two-temperatures/hook-a',
      '001/8.1/two-temperatures/hook-b',
      '001/8.1/two-temperatures/parallel',
      '001/8.1/two-temperatures/sequential',
      '000/BeforeModelOutput/hookSpecificOutput/llm_request',
    ],
  },
  {
    file: models,
    search: '[...new Set(lists.flat())].sort()',
    replace: 'lists.at(-1)',
    ids: ['000/aggregation/tool-selection/union', '001/7.3/union/names'],
  },
  {
    file: models,
    search: '[...new Set(lists.flat())].sort()',
    replace: '[...new Set(lists.flat())]',
    ids: ['000/aggregation/tool-selection/sorted', '001/7.3/union/sorted'],
  },
  {
    file: models,
    search: '{ AUTO: 0, ANY: 1, NONE: 2 }',
    replace: '{ AUTO: 0, ANY: 1, NONE: -1 }',
    ids: [
      '000/aggregation/tool-selection/none',
      '001/7.3/union/none',
      '001/7.3/union/mode',
      '003/aggregation/BeforeToolSelection',
      '001/8.1/none-against-list/hook-a',
      '001/8.1/none-against-list/result',
    ],
  },
  {
    file: models,
    search: '{ AUTO: 0, ANY: 1, NONE: 2 }',
    replace: '{ AUTO: 1, ANY: 0, NONE: 2 }',
    ids: ['000/aggregation/tool-selection/any-before-auto', '000/BeforeToolSelectionOutput/hookSpecificOutput/toolConfig'],
  },
  {
    file: rewrites,
    search: '? { ...before, ...written(patch, before, shown) } : patch;',
    replace: '? { ...written(patch, before, shown), ...before } : patch;',
    ids: ['000/BeforeToolOutput/hookSpecificOutput/tool_input', '001/3.1/action/modify-tool-input', '001/8/BeforeTool/can-modify-input'],
  },
  {
    file: aggregate,
    search: 'success: outcomes.every(isHealthy),',
    replace: 'success: outcomes.some(isHealthy),',
    ids: aggregated('success'),
  },
  { file: aggregate, search: '...(finalOutput === undefined ? {} : { finalOutput }),', replace: '', ids: aggregated('finalOutput') },
  {
    file: aggregate,
    search: 'outcome.output === undefined ? [] : [outcome.output]',
    replace: 'outcome.output === undefined ? [{}] : [outcome.output]',
    ids: aggregated('allOutputs'),
  },
  {
    file: aggregate,
    search: 'errors: outcomes.filter(hasFailed)',
    replace: 'errors: outcomes.filter((outcome) => !isHealthy(outcome))',
    ids: aggregated('errors'),
  },
  { file: aggregate, search: '    totalDuration,\n', replace: '    totalDuration: outcomes.length,\n', ids: aggregated('totalDuration') },
  {
    file: `${settings}/select.ts`,
    search: 'return matcher.test(subject)',
    replace: 'return !matcher.test(subject)',
    ids: ['000/HookDefinition/matcher', '001/6.2/matcher', '001/9/no-match', '003/components/HookPlanner'],
  },
  {
    file: `${settings}/select.ts`,
    search: '(hook) => dataOf(hook).sequential',
    replace: '(hook) => dataOf(hook) === undefined',
    ids: ['000/HookDefinition/sequential', '001/6.2/sequential', '001/8.1/two-temperatures/sequential'],
  },
  {
    file: `${settings}/switches.ts`,
    search: 'const enabled = said.value === true;',
    replace: 'const enabled = said.value !== true;',
    ids: ['001/9/switched-off'],
  },
  {
    file: `${settings}/settings-schema.ts`,
    search: 'defaultTimeoutMs = 60_000',
    replace: 'defaultTimeoutMs = 30_000',
    ids: ['000/CommandHookConfig/timeout', '001/6.2/hooks.timeout'],
  },
  {
    file: `${settings}/group-format.ts`,
    search: "if (type === undefined || type === 'command')",
    replace: "if (type === undefined || type === 'command' || type === 'plugin')",
    ids: ['000/CommandHookConfig/type', '001/6.2/hooks.type'],
  },
  {
    file: 'packages/engine/src/planner/duplicates.ts',
    search: 'if (keeper === undefined || keeper === hook) kept.push(hook);',
    replace: 'if (hook) kept.push(hook);',
    ids: ['003/components/HookPlanner'],
  },
  {
    file: 'packages/engine/src/hook-system.ts',
    search: '[...this.#allExecutors].map(disposeInTime)',
    replace: '[]',
    ids: ['003/components/HookSystem'],
  },
  {
    file: 'packages/engine/src/hook-system.ts',
    search: 'this.#registry.dispose();',
    replace: '',
    ids: ['003/components/HookSystem'],
  },
  {
    file: answer,
    search: 'return { success: true, output: result };',
    replace: 'return { success: true };',
    ids: ['000/HookExecutionResponse/output'],
  },
  {
    file: service,
    search: "code: 'unsupported_event',",
    replace: "code: 'invalid_request',",
    ids: ['000/HookExecutionResponse/error/code', '000/HookExecutionRequest/eventName'],
  },
  {
    file: service,
    search: `There is no event "\${eventName}"`,
    replace: 'There is no such event',
    ids: ['000/HookExecutionResponse/error/message'],
  },
  {
    file: service,
    search: '    success: false,\n    error: {\n',
    replace: '    success: true,\n    error: {\n',
    ids: ['000/HookExecutionResponse/success', '000/HookExecutionResponse/error'],
  },
  { file: service, search: 'if (!isPlainObject(input)) {', replace: 'if (false) {', ids: ['000/HookExecutionRequest/input'] },
  {
    file: 'packages/bus/src/requests/responses.ts',
    search: 'payload: { correlationId, ...readAnswer(answer) }',
    replace: "payload: { correlationId: 'other', ...readAnswer(answer) }",
    ids: ['000/HookExecutionRequest/correlationId', '000/HookExecutionResponse/correlationId'],
  },
];
