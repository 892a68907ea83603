/** What a hook may say, by its exit code and its stdout, and the environment in which it says it. */
const command = 'packages/dialects/src/output/decode-command.ts';
const decode = 'packages/dialects/src/llxprt/decode.ts';
const fields = 'packages/dialects/src/output/known-fields.ts';
const encode = 'packages/dialects/src/llxprt/encode.ts';
const decisions = 'packages/protocol/src/hook-decision.ts';
const classes = 'packages/protocol/src/hook-output-classes.ts';
const processed = 'packages/protocol/src/processed-result.ts';
const policy = 'packages/engine/src/runner/failure-policy.ts';

const events = ['BeforeTool', 'AfterTool', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'];
const inEnvironment = (name) => [`000/environment/${name}`, `001/7.6/${name}`, `003/environment/${name}`];
const method = (outputClass, name, search, replace) => ({ file: classes, search, replace, ids: [`000/${outputClass}/${name}`] });
const processedField = (name, search, replace) => ({ file: processed, search, replace, ids: [`000/ProcessedHookResult/${name}`] });

export const inversionsOfOutputs = [
  {
    file: command,
    search: 'return decodeSuccess(run);',
    replace: 'return decodeFailure(run);',
    ids: ['000/exit-codes/0', '001/4.3/exit-0', '003/exit-codes/0', '001/9/exit-0-json', '001/9/exit-0-empty'],
  },
  {
    file: command,
    search: 'return decodeBlock(run);',
    replace: 'return decodeFailure(run);',
    ids: ['000/exit-codes/2', '001/4.3/exit-2', '003/exit-codes/2', '001/9/exit-2', '003/plain-text/exit-2'],
  },
  {
    file: command,
    search: '    default:\n      return decodeFailure(run);',
    replace: '    default:\n      return decodeBlock(run);',
    ids: ['000/exit-codes/1', '003/exit-codes/1', '001/4.3/exit-any-other', '001/9/exit-other', '003/plain-text/exit-1'],
  },
  {
    file: decode,
    search: '({ output: { systemMessage: text }, warnings: [] })',
    replace: "({ output: { systemMessage: text, decision: 'allow' }, warnings: [] })",
    ids: ['003/plain-text/exit-0', '001/9/exit-0-text', '001/9/invalid-json'],
  },
  {
    file: command,
    search: 'asReason(exit.stderr.trim()) ||\n      asReason(text) ||',
    replace: 'asReason(text) ||',
    ids: ['001/4.3/exit-2', '001/9/exit-2'],
  },
  {
    file: command,
    search: 'stdout: readPrinted(exit, format)',
    replace: 'stdout: readPrinted(exit, { ...format, readsStderr: true })',
    ids: ['001/9/stderr-on-exit-0'],
  },
  {
    file: decode,
    search: "if (eventName !== 'BeforeTool' || specific",
    replace: "if (eventName === 'BeforeTool' || specific",
    ids: ['000/BeforeToolOutput/hookSpecificOutput/permissionDecision', '000/BeforeToolOutput/hookSpecificOutput/permissionDecisionReason'],
  },
  {
    file: policy,
    search: "hook.onError !== 'block'",
    replace: "hook.onError === 'block'",
    ids: ['001/9/timeout', '001/9/signal', '001/9/infrastructure', '000/exit-codes/1', '001/4.3/exit-any-other'],
  },
  {
    file: fields,
    search: 'named !== eventName',
    replace: 'named === eventName',
    ids: events.map((name) => `000/${name}Output/hookSpecificOutput/hookEventName`),
  },
  {
    file: fields,
    search: 'if (specific !== undefined) {',
    replace: "delete output['hookSpecificOutput'];\n  if (eventName === undefined) {",
    ids: [
      ...events.map((name) => `000/${name}Output/hookSpecificOutput`),
      '000/HookOutput/hookSpecificOutput',
      '001/4.2/hookSpecificOutput',
      '003/HookOutput/hookSpecificOutput',
    ],
  },
  { file: decisions, search: "    case 'block':\n", replace: '', ids: ['000/HookDecision/block'] },
  {
    file: decisions,
    search: "    case 'deny':\n",
    replace: '',
    ids: ['000/HookDecision/deny', '000/HookOutput/decision', '001/4.2/decision', '003/HookOutput/decision'],
  },
  { file: decisions, search: "    case 'approve':\n", replace: '', ids: ['000/HookDecision/approve'] },
  { file: decisions, search: "    case 'allow':\n", replace: '', ids: ['000/HookDecision/allow'] },
  { file: decisions, search: "      return 'ask';", replace: "      return 'allow';", ids: ['000/HookDecision/ask'] },
  { file: decisions, search: "      return 'none';", replace: "      return 'allow';", ids: ['000/HookDecision/undefined'] },
  {
    file: encode,
    search: 'LLXPRT_PROJECT_DIR: projectDir,',
    replace: 'LLXPRT_PROJECT_DIR: event.input.cwd,',
    ids: inEnvironment('LLXPRT_PROJECT_DIR'),
  },
  {
    file: encode,
    search: 'GEMINI_PROJECT_DIR: projectDir,',
    replace: 'GEMINI_PROJECT_DIR: event.input.cwd,',
    ids: inEnvironment('GEMINI_PROJECT_DIR'),
  },
  {
    file: encode,
    search: 'CLAUDE_PROJECT_DIR: projectDir,',
    replace: 'CLAUDE_PROJECT_DIR: event.input.cwd,',
    ids: inEnvironment('CLAUDE_PROJECT_DIR'),
  },
  { file: encode, search: '      ...environment,\n', replace: "      PATH: environment['PATH'],\n", ids: ['003/environment/parent'] },
  method(
    'DefaultHookOutput',
    'isBlockingDecision',
    "return verdictOf(this.decision) === 'deny';",
    "return verdictOf(this.decision) !== 'allow';",
  ),
  method('DefaultHookOutput', 'shouldStopExecution', 'return this.continue === false;', 'return this.continue !== false;'),
  method('DefaultHookOutput', 'getEffectiveReason', "?? this.reason ?? ''", "?? ''"),
  method('DefaultHookOutput', 'getAdditionalContext', "return typeof context === 'string' ? context : undefined;", 'return undefined;'),
  method('DefaultHookOutput', 'getBlockingError', '{ blocked: true, reason: this.getEffectiveReason() }', "{ blocked: true, reason: '' }"),
  method(
    'BeforeToolHookOutput',
    'getModifiedToolInput',
    "return this.hookSpecificOutput?.['tool_input'] as",
    "return this.hookSpecificOutput?.['toolInput'] as",
  ),
  method(
    'BeforeModelHookOutput',
    'getSyntheticResponse',
    'getSyntheticResponse(): LLMResponse | undefined {\n    return',
    'getSyntheticResponse(): LLMResponse | undefined {\n    if (this) return undefined;\n    return',
  ),
  method(
    'BeforeModelHookOutput',
    'applyLLMRequestModifications',
    'return patch === undefined ? target : mergeLlmRequest(target, patch);',
    'return target;',
  ),
  method(
    'BeforeToolSelectionHookOutput',
    'applyToolConfigModifications',
    'return toolConfig === undefined ? target',
    'return toolConfig !== undefined ? target',
  ),
  method(
    'AfterModelHookOutput',
    'getModifiedResponse',
    'getModifiedResponse(): LLMResponse | undefined {\n    return',
    'getModifiedResponse(): LLMResponse | undefined {\n    if (this) return undefined;\n    return',
  ),
  { file: classes, search: '  BeforeTool: BeforeToolHookOutput,\n', replace: '', ids: ['000/BeforeToolHookOutput/is-a-DefaultHookOutput'] },
  { file: classes, search: '  AfterModel: AfterModelHookOutput,\n', replace: '', ids: ['000/AfterModelHookOutput/is-a-DefaultHookOutput'] },
  {
    file: classes,
    search: '  BeforeModel: BeforeModelHookOutput,\n',
    replace: '',
    ids: ['000/BeforeModelHookOutput/is-a-DefaultHookOutput'],
  },
  {
    file: classes,
    search: '  BeforeToolSelection: BeforeToolSelectionHookOutput,\n',
    replace: '',
    ids: ['000/BeforeToolSelectionHookOutput/is-a-DefaultHookOutput'],
  },
  processedField('aggregated', '    aggregated,\n', '    aggregated: { ...aggregated },\n'),
  processedField('shouldStop', 'shouldStop: aggregated.verdict.stop,', 'shouldStop: !aggregated.verdict.stop,'),
  processedField('stopReason', 'stopReason: aggregated.verdict.stopReason,', 'stopReason: aggregated.verdict.reason,'),
  processedField('systemMessage', 'systemMessage: output?.systemMessage,', 'systemMessage: output?.reason,'),
  processedField('suppressOutput', 'output?.suppressOutput === true', 'output?.suppressOutput !== true'),
];
