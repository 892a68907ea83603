import {
  type AfterAgentInput,
  AfterModelHookOutput,
  type AfterModelInput,
  type AfterModelOutput,
  type AfterToolInput,
  type AfterToolOutput,
  type AggregatedHookResult,
  type BeforeAgentInput,
  BeforeModelHookOutput,
  type BeforeModelInput,
  type BeforeModelOutput,
  BeforeToolHookOutput,
  type BeforeToolInput,
  type BeforeToolOutput,
  BeforeToolSelectionHookOutput,
  type BeforeToolSelectionInput,
  type BeforeToolSelectionOutput,
  type CommandHookConfig,
  DefaultHookOutput,
  EXIT_CODE_BLOCKING_ERROR,
  EXIT_CODE_NON_BLOCKING_ERROR,
  EXIT_CODE_SUCCESS,
  eventEntry,
  type HookConfig,
  type HookDecision,
  HookEventName,
  type HookExecutionRequest,
  type HookExecutionResponse,
  type HookGroup,
  type HookInput,
  type HookOutput,
  type HookToolConfig,
  hookOutputSchema,
  type LLMRequest,
  type LLMResponse,
  type NotificationInput,
  type PreCompressInput,
  type ProcessedHookResult,
  processResult,
  requestPayloadSchema,
  responsePayloadSchema,
  type SessionEndInput,
  type SessionStartInput,
  type SettingsHooks,
} from '../src/index.js';

/** What a program written to the documents says, by the names of the documents: it has to compile here, and to pass the schemas. */

const base = {
  session_id: 'abc123',
  transcript_path: '',
  cwd: '/home/user/project',
  timestamp: '2025-02-18T16:30:00.000Z',
};
const tool = { tool_name: 'write_file', tool_input: { path: '/home/user/project/file.txt', content: 'Hello, world!' } };

/** A request in the shape with `contents`, and in the canonical one with `messages` (decision 14). */
const llmRequests: LLMRequest[] = [
  {
    model: 'm-1',
    contents: [{ role: 'user', parts: ['hello', { text: 'there' }] }],
    systemInstruction: { role: 'system', parts: ['be brief'] },
    generationConfig: { temperature: 0, maxOutputTokens: 800, topP: 0.9, topK: 40, stopSequences: ['END'] },
  },
  {
    model: 'm-1',
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hello' },
      { role: 'model', content: 'hi' },
    ],
    config: { temperature: 0, candidateCount: 1, presencePenalty: 0, frequencyPenalty: 0 },
    toolConfig: { mode: 'AUTO', allowedFunctionNames: ['read_file'] },
  },
  {},
];
const [llm_request = {}] = llmRequests;
const llm_response: LLMResponse = {
  text: 'hi there',
  candidates: [{ content: { role: 'model', parts: ['hi', { text: ' there' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
};

const beforeTool: BeforeToolInput = { ...base, hook_event_name: 'BeforeTool', ...tool };
const afterTool: AfterToolInput = { ...base, hook_event_name: 'AfterTool', ...tool, tool_response: { llmContent: 'done' } };
const beforeModel: BeforeModelInput = { ...base, hook_event_name: 'BeforeModel', llm_request };
const afterModel: AfterModelInput = { ...base, hook_event_name: 'AfterModel', llm_request, llm_response };
const selection: BeforeToolSelectionInput = { ...base, hook_event_name: 'BeforeToolSelection', llm_request };
const beforeAgent: BeforeAgentInput = { ...base, hook_event_name: 'BeforeAgent', prompt: 'p' };
const afterAgent: AfterAgentInput = { ...base, hook_event_name: 'AfterAgent', prompt: 'p', prompt_response: 'r', stop_hook_active: false };
const sources: SessionStartInput['source'][] = ['startup', 'resume', 'clear', 'compress'];
const reasons: SessionEndInput['reason'][] = ['exit', 'clear', 'logout', 'prompt_input_exit', 'other'];
const triggers: PreCompressInput['trigger'][] = ['manual', 'auto'];
const notification: NotificationInput = {
  ...base,
  hook_event_name: 'Notification',
  notification_type: 'ToolPermission',
  message: 'm',
  details: {},
};
const inputs: HookInput[] = [
  beforeTool,
  afterTool,
  ...llmRequests.map((request): BeforeModelInput => ({ ...beforeModel, llm_request: request })),
  afterModel,
  selection,
  beforeAgent,
  afterAgent,
  ...sources.map((source): SessionStartInput => ({ ...base, hook_event_name: 'SessionStart', source })),
  ...reasons.map((reason): SessionEndInput => ({ ...base, hook_event_name: 'SessionEnd', reason })),
  ...triggers.map((trigger): PreCompressInput => ({ ...base, hook_event_name: 'PreCompress', trigger })),
  notification,
];

test.each(inputs)('$hook_event_name: an input as the documents write it is one', (input) => {
  expect(eventEntry(input.hook_event_name as HookEventName).input.parse(input)).toEqual(input);
});

const decisions: HookDecision[] = ['ask', 'block', 'deny', 'approve', 'allow', undefined];
const toolConfig: HookToolConfig = { mode: 'AUTO', allowedFunctionNames: ['read_file', 'list_directory', 'glob'] };
const denies: BeforeToolOutput = { decision: 'deny', reason: 'Writing to /etc is prohibited' };
const modifies: BeforeToolOutput = {
  decision: 'allow',
  hookSpecificOutput: {
    hookEventName: 'BeforeTool',
    permissionDecision: 'allow',
    permissionDecisionReason: 'r',
    tool_input: { path: '/safe/path/file.txt', content: 'Modified content' },
  },
};
const adds: AfterToolOutput = { hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: 'c' } };
const requests: BeforeModelOutput = { hookSpecificOutput: { hookEventName: 'BeforeModel', llm_request, llm_response } };
const responds: AfterModelOutput = { hookSpecificOutput: { hookEventName: 'AfterModel', llm_response: { text: 'x' } } };
const restricts: BeforeToolSelectionOutput = { hookSpecificOutput: { hookEventName: 'BeforeToolSelection', toolConfig } };
const stops: HookOutput = { continue: false, stopReason: 's', suppressOutput: true, systemMessage: 'm' };

test.each<HookOutput>([denies, modifies, adds, requests, responds, restricts, stops, ...decisions.map((decision) => ({ decision }))])(
  'an output as the documents write it is one: %j',
  (output) => {
    expect(hookOutputSchema.parse(output)).toEqual(output);
  },
);

const hook: CommandHookConfig = { type: 'command', command: '~/.llxprt/hooks/security.sh', timeout: 5000 };
const group: HookGroup = { matcher: 'write_*', sequential: false, hooks: [hook satisfies HookConfig] };
const settings: SettingsHooks = { hooks: { [HookEventName.BeforeTool]: [group], AfterTool: [{ hooks: [hook] }] } };

test('settings as the documents write them are of the type of the documents', () => {
  expect(settings.hooks['BeforeTool']?.[0]?.hooks[0]?.timeout).toBe(5000);
});

const request: HookExecutionRequest = { correlationId: 'c1', eventName: HookEventName.BeforeTool, input: beforeTool };
const aggregated: AggregatedHookResult = {
  success: true,
  finalOutput: new DefaultHookOutput(denies),
  verdict: { kind: 'deny', stop: false, reason: 'no', by: ['h'], stoppedBy: [] },
  changes: [],
  allOutputs: [denies],
  outcomes: [],
  errors: [{ code: 'timeout', message: 'm' }],
  totalDuration: 12,
};
const answered: HookExecutionResponse = { correlationId: 'c1', success: true, output: aggregated };
const refused: HookExecutionResponse = { correlationId: 'c1', success: false, error: { code: 'timeout', message: 'm' } };

test('requests and responses as the documents write them are messages', () => {
  expect(requestPayloadSchema.parse(request)).toEqual(request);
  for (const response of [answered, refused]) expect(responsePayloadSchema.safeParse(response).success).toBe(true);
});

test('a result is processed into the fields of the documents', () => {
  const processed: ProcessedHookResult = processResult(aggregated);
  const {
    shouldStop,
    stopReason,
    systemMessage,
    suppressOutput,
  }: {
    shouldStop: boolean;
    stopReason: string | undefined;
    systemMessage: string | undefined;
    suppressOutput: boolean;
  } = processed;
  expect([processed.aggregated, shouldStop, stopReason, systemMessage, suppressOutput]).toEqual([
    aggregated,
    false,
    undefined,
    undefined,
    false,
  ]);
});

test('exit codes have the names and numbers of the documents', () => {
  expect([EXIT_CODE_SUCCESS, EXIT_CODE_NON_BLOCKING_ERROR, EXIT_CODE_BLOCKING_ERROR]).toEqual([0, 1, 2]);
});

test('each method of each class is there, takes what the documents give it, and gives what they expect', () => {
  const base: DefaultHookOutput = new DefaultHookOutput(denies);
  const answers: [boolean, boolean, string, string | undefined, { blocked: boolean; reason: string }] = [
    base.isBlockingDecision(),
    base.shouldStopExecution(),
    base.getEffectiveReason(),
    base.getAdditionalContext(),
    base.getBlockingError(),
  ];
  expect(answers).toEqual([true, false, denies.reason, undefined, { blocked: true, reason: denies.reason }]);

  const input: Record<string, unknown> | undefined = new BeforeToolHookOutput(modifies).getModifiedToolInput();
  expect(input).toEqual(modifies.hookSpecificOutput?.tool_input);

  const model = new BeforeModelHookOutput({ hookSpecificOutput: { llm_request: { config: { topP: 1 } }, llm_response } });
  const synthetic: LLMResponse | undefined = model.getSyntheticResponse();
  const modified: LLMRequest = model.applyLLMRequestModifications({ model: 'm-1', config: { topK: 2 } });
  expect([synthetic, modified]).toEqual([llm_response, { model: 'm-1', config: { topK: 2, topP: 1 } }]);

  const target: { toolConfig?: HookToolConfig; tools?: string[] } = { tools: ['read_file'] };
  const restricted: typeof target = new BeforeToolSelectionHookOutput(restricts).applyToolConfigModifications(target);
  expect(restricted).toEqual({ toolConfig, tools: ['read_file'] });
  const chosen: HookToolConfig | undefined = new BeforeToolSelectionHookOutput(restricts).applyToolConfigModifications({}).toolConfig;
  expect(chosen).toEqual(toolConfig);

  const response: LLMResponse | undefined = new AfterModelHookOutput(responds).getModifiedResponse();
  expect(response).toEqual({ text: 'x' });
  for (const output of [new BeforeToolHookOutput(), model, new BeforeToolSelectionHookOutput(), new AfterModelHookOutput()]) {
    expect(output).toBeInstanceOf(DefaultHookOutput);
  }
});

test('what the documents do not allow does not compile', () => {
  // @ts-expect-error no such source
  const source: SessionStartInput['source'] = 'sometimes';
  // @ts-expect-error no such decision
  const decision: HookDecision = 'perhaps';
  // @ts-expect-error no such mode
  const config: HookToolConfig = { mode: 'SOME' };
  // @ts-expect-error tool_input is an object
  const wrong: BeforeToolInput = { ...beforeTool, tool_input: 'x' };
  // @ts-expect-error a reason is a text, of each event's output
  const output: BeforeToolOutput = { reason: 5 };
  // @ts-expect-error a context is a text
  const specific: AfterToolOutput = { hookSpecificOutput: { additionalContext: 5 } };
  // @ts-expect-error a command hook has a command
  const nothing: HookConfig = { type: 'command' };
  // @ts-expect-error there is no such event
  const eventName: HookEventName = 'BeforeTools';
  expect([source, decision, config, wrong, output, specific, nothing, eventName]).toHaveLength(8);
});
