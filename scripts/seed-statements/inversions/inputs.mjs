/** Events and what their hooks read. */
const catalogue = 'packages/protocol/src/event-catalogue.ts';
const base = 'packages/engine/src/event-input.ts';
const models = 'packages/protocol/src/llm.ts';
const conversion = 'packages/dialects/src/output/model-data.ts';
const encode = 'packages/dialects/src/llxprt/encode.ts';

const events = ['BeforeTool', 'AfterTool', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'];
const baseField = (field) => [
  `000/HookInput/${field}`,
  `003/HookInput/${field}`,
  ...events.map((_, index) => `001/3.${index + 1}/input/${field}`),
];
const inheriting = [...events, 'SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent'].map((name) => `000/${name}Input/is-a-HookInput`);
const names = [...events, 'BeforeAgent', 'AfterAgent', 'SessionStart', 'SessionEnd', 'PreCompress', 'Notification'];
const modelField = (field, type, ...ids) => ({
  file: models,
  search: `  ${field}: z.${type}.`,
  replace: `  ${field}: z.unknown().`,
  ids,
});

export const inversionsOfInputs = [
  {
    file: base,
    search: "session_id: base.sessionId ?? textOr(input['session_id'], base.fallbackSessionId),",
    replace: "session_id: '',",
    ids: [...baseField('session_id'), ...inheriting],
  },
  {
    file: base,
    search: "transcript_path: input['transcript_path'] ?? base.transcriptPath,",
    replace: "transcript_path: '',",
    ids: baseField('transcript_path'),
  },
  {
    file: base,
    search: 'hook_event_name: eventName,',
    replace: "hook_event_name: 'Event',",
    ids: [...baseField('hook_event_name'), ...names.map((name) => `000/HookEventName/${name}`)],
  },
  { file: base, search: 'timestamp: now.toISOString(),', replace: 'timestamp: String(now),', ids: baseField('timestamp') },
  {
    file: encode,
    search: 'stdinText(({ input }) => input)',
    replace: "stdinText(({ input }) => ({ ...input, cwd: '/' }))",
    ids: baseField('cwd'),
  },
  {
    file: encode,
    search: 'stdinText(({ input }) => input)',
    replace:
      'stdinText(({ input: { tool_name: _n, tool_input: _i, tool_response: _r, llm_request: _q, llm_response: _p, prompt: _t, prompt_response: _a, stop_hook_active: _s, ...rest } }) => rest)',
    ids: [
      '000/BeforeToolInput/tool_name',
      '001/3.1/input/tool_name',
      '000/BeforeToolInput/tool_input',
      '001/3.1/input/tool_input',
      '000/AfterToolInput/tool_name',
      '001/3.2/input/tool_name',
      '000/AfterToolInput/tool_input',
      '001/3.2/input/tool_input',
      '000/AfterToolInput/tool_response',
      '001/3.2/input/tool_response',
      '000/BeforeModelInput/llm_request',
      '001/3.3/input/llm_request',
      '000/AfterModelInput/llm_request',
      '001/3.4/input/llm_request',
      '000/AfterModelInput/llm_response',
      '001/3.4/input/llm_response',
      '000/BeforeToolSelectionInput/llm_request',
      '000/BeforeAgentInput/prompt',
      '000/AfterAgentInput/prompt',
      '000/AfterAgentInput/prompt_response',
      '000/AfterAgentInput/stop_hook_active',
      '001/3.5/input/llm_request',
    ],
  },
  {
    file: catalogue,
    search: "'startup', 'resume', 'clear', 'compress'",
    replace: "'startup', 'resume'",
    ids: ['000/SessionStartInput/source'],
  },
  {
    file: catalogue,
    search: "'exit', 'clear', 'logout', 'prompt_input_exit', 'other'",
    replace: "'exit', 'logout'",
    ids: ['000/SessionEndInput/reason'],
  },
  { file: models, search: "role: z.enum(['user', 'model', 'system'])", replace: 'role: z.string()', ids: ['001/5.1/messages/role'] },
  {
    file: models,
    search: "mode: z.enum(['AUTO', 'ANY', 'NONE'])",
    replace: "mode: z.enum(['AUTO', 'ANY', 'FORBID'])",
    ids: ['000/HookToolConfig/mode', '001/5.3/mode'],
  },
  {
    file: models,
    search: 'allowedFunctionNames: z.array(z.string()).',
    replace: 'allowedFunctionNames: z.unknown().',
    ids: ['000/HookToolConfig/allowedFunctionNames', '001/5.3/allowedFunctionNames'],
  },
  ...['temperature', 'maxOutputTokens', 'topP', 'topK', 'candidateCount', 'presencePenalty', 'frequencyPenalty'].map((field) =>
    modelField(field, 'number()', `001/5.1/config/${field}`),
  ),
  modelField('stopSequences', 'array(z.string())', '001/5.1/config/stopSequences'),
  modelField('finishReason', 'string()', '001/5.2/candidates/finishReason'),
  modelField('text', 'string()', '001/5.2/text'),
  modelField('index', 'number()', '001/5.2/candidates/index'),
  ...['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'].map((field) =>
    modelField(field, 'number()', `001/5.2/usageMetadata/${field}`),
  ),
  { file: models, search: 'config: llmConfigSchema.optional()', replace: 'config: z.unknown().optional()', ids: ['001/5.1/config'] },
  {
    file: models,
    search: 'toolConfig: toolConfigSchema.optional()',
    replace: 'toolConfig: z.unknown().optional()',
    ids: ['001/5.1/toolConfig'],
  },
  {
    file: 'packages/agent/src/translators/hook-message.ts',
    search: "return JSON.stringify(content) ?? '';",
    replace: 'return String(content);',
    ids: ['001/5.1/messages/content'],
  },
  {
    file: conversion,
    search: "if (generationConfig !== undefined) request['config'] ??= generationConfig;",
    replace: '',
    ids: ['', '/temperature', '/maxOutputTokens', '/topP', '/topK', '/stopSequences'].map(
      (field) => `000/LLMRequest/generationConfig${field}`,
    ),
  },
  {
    file: conversion,
    search: '[...system, ...messages]',
    replace: 'messages',
    ids: ['', '/role', '/parts', '/parts/text'].map((field) => `000/LLMRequest/systemInstruction${field}`),
  },
  {
    file: conversion,
    search: 'Array.isArray(contents) ? contents.map(messageOf) : []',
    replace: '[]',
    ids: ['', '/role', '/parts', '/parts/text'].map((field) => `000/LLMRequest/contents${field}`),
  },
  {
    file: conversion,
    search: "candidate['content']['parts'].map(partText)",
    replace: "candidate['content']['parts']",
    ids: ['000/LLMResponse/candidates/content', '000/LLMResponse/candidates/content/parts/text'],
  },
];
