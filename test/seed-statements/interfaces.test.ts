import {
  type AfterAgentInput,
  type AfterModelInput,
  type AfterModelOutput,
  type AfterToolInput,
  type AfterToolOutput,
  type AggregatedHookResult,
  type BeforeAgentInput,
  type BeforeModelInput,
  type BeforeModelOutput,
  type BeforeToolInput,
  type BeforeToolOutput,
  type BeforeToolSelectionInput,
  type BeforeToolSelectionOutput,
  baseInputSchema,
  type DefaultHookOutput,
  eventCatalogue,
  type HookDecision,
  type HookExecutionRequest,
  type HookExecutionResponse,
  type HookInput,
  type HookOutput,
  type HookToolConfig,
  hookDecisionSchema,
  hookOutputSchema,
  type LLMRequest,
  type LLMResponse,
  type ProcessedHookResult,
  requestPayloadSchema,
  responsePayloadSchema,
  type SessionEndInput,
  type SessionStartInput,
  toolConfigSchema,
} from '@tenterhook/protocol';

/**
 * The interfaces as types. Each function reads every member at the type that the documents give it: a member that is renamed, removed
 * or of another type does not compile, also where the interface takes members it does not know. The schemas beside them are the same at run time.
 */
type Json = Record<string, unknown>;
type Readers = Readonly<Record<string, (value: never) => unknown>>;

const inputs = {
  HookInput: (v: HookInput): string[] => [v.session_id, v.transcript_path, v.cwd, v.hook_event_name, v.timestamp],
  BeforeToolInput: (v: BeforeToolInput): [HookInput, string, Json] => [v, v.tool_name, v.tool_input],
  AfterToolInput: (v: AfterToolInput): [HookInput, string, Json, Json] => [v, v.tool_name, v.tool_input, v.tool_response],
  BeforeModelInput: (v: BeforeModelInput): [HookInput, LLMRequest] => [v, v.llm_request],
  AfterModelInput: (v: AfterModelInput): [HookInput, LLMRequest, LLMResponse] => [v, v.llm_request, v.llm_response],
  BeforeToolSelectionInput: (v: BeforeToolSelectionInput): [HookInput, LLMRequest] => [v, v.llm_request],
  SessionStartInput: (v: SessionStartInput): [HookInput, 'startup' | 'resume' | 'clear' | 'compress'] => [v, v.source],
  SessionEndInput: (v: SessionEndInput): [HookInput, 'exit' | 'clear' | 'logout' | 'prompt_input_exit' | 'other'] => [v, v.reason],
  BeforeAgentInput: (v: BeforeAgentInput): [HookInput, string] => [v, v.prompt],
  AfterAgentInput: (v: AfterAgentInput): [HookInput, string, string, boolean] => [v, v.prompt, v.prompt_response, v.stop_hook_active],
} satisfies Readers;

const outputs = {
  texts: (v: HookOutput): (string | undefined)[] => [v.stopReason, v.systemMessage, v.reason],
  switches: (v: HookOutput): (boolean | undefined)[] => [v.continue, v.suppressOutput],
  decision: (v: HookOutput): HookDecision | undefined => v.decision,
  specific: (v: HookOutput): Json | undefined => v.hookSpecificOutput,
  BeforeTool: (
    v: NonNullable<BeforeToolOutput['hookSpecificOutput']>,
  ): [HookDecision | undefined, string | undefined, Json | undefined] => [v.permissionDecision, v.permissionDecisionReason, v.tool_input],
  AfterTool: (v: NonNullable<AfterToolOutput['hookSpecificOutput']>): string | undefined => v.additionalContext,
  BeforeModel: (v: NonNullable<BeforeModelOutput['hookSpecificOutput']>): [Partial<LLMRequest> | undefined, LLMResponse | undefined] => [
    v.llm_request,
    v.llm_response,
  ],
  AfterModel: (v: NonNullable<AfterModelOutput['hookSpecificOutput']>): Partial<LLMResponse> | undefined => v.llm_response,
  BeforeToolSelection: (v: NonNullable<BeforeToolSelectionOutput['hookSpecificOutput']>): HookToolConfig | undefined => v.toolConfig,
  names: (...v: OutputName[]): (string | undefined)[] => v.map((each) => each?.hookEventName),
  HookToolConfig: (v: HookToolConfig): ['AUTO' | 'ANY' | 'NONE' | undefined, string[] | undefined] => [v.mode, v.allowedFunctionNames],
};
type OutputName = (
  | BeforeToolOutput
  | AfterToolOutput
  | BeforeModelOutput
  | AfterModelOutput
  | BeforeToolSelectionOutput
)['hookSpecificOutput'];

const results = {
  aggregated: (v: AggregatedHookResult): [boolean, DefaultHookOutput | undefined, HookOutput[], { message: string }[], number] => [
    v.success,
    v.finalOutput,
    v.allOutputs,
    v.errors,
    v.totalDuration,
  ],
  processed: (v: ProcessedHookResult): [AggregatedHookResult, boolean, string | undefined, string | undefined, boolean] => [
    v.aggregated,
    v.shouldStop,
    v.stopReason,
    v.systemMessage,
    v.suppressOutput,
  ],
  request: (v: HookExecutionRequest): [string | undefined, string, Json] => [v.correlationId, v.eventName, v.input],
  response: (v: HookExecutionResponse): [string, boolean, object | undefined, string | undefined, string | undefined] => [
    v.correlationId,
    v.success,
    v.output,
    v.error?.code,
    v.error?.message,
  ],
} satisfies Readers;

const decisions: Record<NonNullable<HookDecision>, true> = { ask: true, block: true, deny: true, approve: true, allow: true };

test('the interfaces have the members of the documents as types', () => {
  expect(Object.keys({ ...inputs, ...outputs, ...results }).length).toBeGreaterThan(20);
});

test('the schemas have them at run time', () => {
  expect(Object.keys(baseInputSchema.shape)).toEqual(['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp']);
  expect(Object.keys(hookOutputSchema.shape).sort()).toEqual(
    ['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason', 'hookSpecificOutput'].sort(),
  );
  expect([...hookDecisionSchema.options].sort()).toEqual(Object.keys(decisions).sort());
  expect(Object.keys(toolConfigSchema.shape)).toEqual(['mode', 'allowedFunctionNames']);
  expect(Object.keys(requestPayloadSchema.shape)).toEqual(['correlationId', 'eventName', 'input']);
  expect(Object.keys(responsePayloadSchema.shape)).toEqual(['correlationId', 'success', 'output', 'error']);
  for (const { input, specificOutput } of Object.values(eventCatalogue)) {
    expect(Object.keys(input.shape)).toEqual(expect.arrayContaining(Object.keys(baseInputSchema.shape)));
    expect(Object.keys(specificOutput.shape)).toContain('hookEventName');
  }
});
