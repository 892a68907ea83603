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
  eventCatalogue,
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
  type LLMRequest,
  type LLMResponse,
  type NotificationInput,
  type PreCompressInput,
  type ProcessedHookResult,
  processResult,
  type SessionEndInput,
  type SessionStartInput,
  type SettingsHooks,
} from '../src/index.js';
import {
  baseInputSchema,
  hookDecisionSchema,
  hookOutputSchema,
  requestPayloadSchema,
  responsePayloadSchema,
  toolConfigSchema,
} from '../src/internal.js';

/** A program that follows the source documents. It must compile, and its data must match the schemas. */

const base = {
  session_id: 'abc123',
  transcript_path: '',
  cwd: '/home/user/project',
  timestamp: '2025-02-18T16:30:00.000Z',
};
const tool = { tool_name: 'write_file', tool_input: { path: '/home/user/project/file.txt', content: 'Hello, world!' } };

/** A request in the form with `contents`, and one in the canonical form with `messages` (decision 14). */
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
const sources: SessionStartInput['source'][] = ['startup', 'resume', 'clear', 'compress', 'fork'];
const reasons: SessionEndInput['reason'][] = ['exit', 'clear', 'resume', 'logout', 'prompt_input_exit', 'other'];
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

/** A record, so that an additional decision does not compile. */
const decisionNames: Record<NonNullable<HookDecision>, true> = { ask: true, block: true, deny: true, approve: true, allow: true };
const decisions = [...(Object.keys(decisionNames) as HookDecision[]), undefined];
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

type Json = Record<string, unknown>;
type SpecificOutput<Output extends HookOutput> = NonNullable<Output['hookSpecificOutput']>;

// The type annotations are the test. The data above compile even if an interface allows unknown members. The reads below do not
// compile if a member was renamed, removed or has another type.
test('what a program reads has the types of the documents: inputs', () => {
  const texts: string[] = [beforeTool.session_id, beforeTool.transcript_path, beforeTool.cwd, beforeTool.timestamp];
  const names: string[] = inputs.map((input) => input.hook_event_name);
  expect([texts, new Set(names).size]).toEqual([Object.values(base), 11]);
  const called: [string, Json] = [beforeTool.tool_name, beforeTool.tool_input];
  const ran: [string, Json, Json] = [afterTool.tool_name, afterTool.tool_input, afterTool.tool_response];
  expect([called, ran]).toEqual([Object.values(tool), [...Object.values(tool), { llmContent: 'done' }]]);
  const asked: LLMRequest[] = [beforeModel.llm_request, afterModel.llm_request, selection.llm_request];
  const answered: LLMResponse = afterModel.llm_response;
  expect([...asked, answered]).toEqual([llm_request, llm_request, llm_request, llm_response]);
  const prompts: string[] = [beforeAgent.prompt, afterAgent.prompt, afterAgent.prompt_response];
  const isSecond: boolean = afterAgent.stop_hook_active;
  expect([...prompts, isSecond]).toEqual(['p', 'p', 'r', false]);
  const fields: [string, string, Json] = [notification.notification_type, notification.message, notification.details];
  expect(fields).toEqual(['ToolPermission', 'm', {}]);
  const words: [
    ('startup' | 'resume' | 'clear' | 'compress' | 'fork')[],
    ('exit' | 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other')[],
    ('manual' | 'auto')[],
  ] = [sources, reasons, triggers];
  expect(words.flat()).toHaveLength(13);
});

test('what a program reads has the types of the documents: outputs', () => {
  const texts: (string | undefined)[] = [stops.stopReason, stops.systemMessage, stops.reason];
  const switches: (boolean | undefined)[] = [stops.continue, stops.suppressOutput];
  const others: [HookDecision | undefined, Json | undefined] = [stops.decision, stops.hookSpecificOutput];
  expect([texts, switches, others]).toEqual([
    ['s', 'm', undefined],
    [false, true],
    [undefined, undefined],
  ]);
  const permission = modifies.hookSpecificOutput as SpecificOutput<BeforeToolOutput>;
  const permitted: [HookDecision | undefined, string | undefined, Json | undefined] = [
    permission.permissionDecision,
    permission.permissionDecisionReason,
    permission.tool_input,
  ];
  expect(permitted).toEqual(['allow', 'r', { path: '/safe/path/file.txt', content: 'Modified content' }]);
  const added: string | undefined = (adds.hookSpecificOutput as SpecificOutput<AfterToolOutput>).additionalContext;
  const before = requests.hookSpecificOutput as SpecificOutput<BeforeModelOutput>;
  const asked: [Partial<LLMRequest> | undefined, LLMResponse | undefined] = [before.llm_request, before.llm_response];
  const answered: Partial<LLMResponse> | undefined = (responds.hookSpecificOutput as SpecificOutput<AfterModelOutput>).llm_response;
  expect([added, asked, answered]).toEqual(['c', [llm_request, llm_response], { text: 'x' }]);
  const chosen: HookToolConfig | undefined = (restricts.hookSpecificOutput as SpecificOutput<BeforeToolSelectionOutput>).toolConfig;
  const limits: ['AUTO' | 'ANY' | 'NONE' | undefined, string[] | undefined] = [chosen?.mode, chosen?.allowedFunctionNames];
  expect(limits).toEqual(['AUTO', ['read_file', 'list_directory', 'glob']]);
  const names: (string | undefined)[] = [modifies, adds, requests, responds, restricts].map(
    (output) => output.hookSpecificOutput?.hookEventName,
  );
  expect(names).toEqual(['BeforeTool', 'AfterTool', 'BeforeModel', 'AfterModel', 'BeforeToolSelection']);
});

test('what a program reads has the types of the documents: messages and results', () => {
  const { success, finalOutput, allOutputs, errors, totalDuration }: AggregatedHookResult = aggregated;
  const read: [boolean, DefaultHookOutput | undefined, readonly HookOutput[], readonly { message: string }[], number] = [
    success,
    finalOutput,
    allOutputs,
    errors,
    totalDuration,
  ];
  expect(read).toEqual([true, finalOutput, [denies], [{ code: 'timeout', message: 'm' }], 12]);
  const sent: [string | undefined, string, Json] = [request.correlationId, request.eventName, request.input];
  expect(sent).toEqual(['c1', 'BeforeTool', beforeTool]);
  const got: [string, boolean, object | undefined, string | undefined, string | undefined][] = [answered, refused].map((response) => [
    response.correlationId,
    response.success,
    response.output,
    response.error?.code,
    response.error?.message,
  ]);
  expect(got).toEqual([
    ['c1', true, aggregated, undefined, undefined],
    ['c1', false, undefined, 'timeout', 'm'],
  ]);
});

test('the schemas have the members of the documents and no others', () => {
  expect(Object.keys(baseInputSchema.shape)).toEqual(['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp']);
  expect(Object.keys(hookOutputSchema.shape).sort()).toEqual(
    ['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason', 'hookSpecificOutput'].sort(),
  );
  expect([...hookDecisionSchema.options].sort()).toEqual(Object.keys(decisionNames).sort());
  expect(Object.keys(toolConfigSchema.shape)).toEqual(['mode', 'allowedFunctionNames']);
  // `recheck` is not in the source documents: it asks hooks again about a rewritten input. Neither is `trace`, the context of a tracing system.
  expect(Object.keys(requestPayloadSchema.shape)).toEqual(['correlationId', 'eventName', 'input', 'recheck', 'trace']);
  // `deliveries` is not in them either: a stream of a transport can deliver a request more than once.
  expect(Object.keys(responsePayloadSchema.shape)).toEqual(['correlationId', 'success', 'output', 'error', 'trace', 'deliveries']);
  for (const { input, specificOutput } of Object.values(eventCatalogue)) {
    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining(Object.keys(baseInputSchema.shape)));
    expect(Object.keys(specificOutput.shape)).toContain('hookEventName');
  }
});

test('what the documents do not allow does not compile', () => {
  // @ts-expect-error there is no such source
  const source: SessionStartInput['source'] = 'sometimes';
  // @ts-expect-error there is no such decision
  const decision: HookDecision = 'perhaps';
  // @ts-expect-error there is no such mode
  const config: HookToolConfig = { mode: 'SOME' };
  // @ts-expect-error tool_input is an object
  const wrong: BeforeToolInput = { ...beforeTool, tool_input: 'x' };
  // @ts-expect-error in the output of every event, a reason is a text
  const output: BeforeToolOutput = { reason: 5 };
  // @ts-expect-error a context is a text
  const specific: AfterToolOutput = { hookSpecificOutput: { additionalContext: 5 } };
  // @ts-expect-error a command hook has a command
  const nothing: HookConfig = { type: 'command' };
  // @ts-expect-error there is no such event
  const eventName: HookEventName = 'BeforeTools';
  expect([source, decision, config, wrong, output, specific, nothing, eventName]).toHaveLength(8);
});
