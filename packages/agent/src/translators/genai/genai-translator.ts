import { isPlainObject, type LLMRequest } from '@tenterhook/protocol';
import type { LlmTranslator } from '../../llm-translator.js';
import { type ConfigNames, changedConfig, changedModel, showConfig } from '../model-config.js';
import { fieldsOf } from '../read-fields.js';
import { rewriteMessages } from '../rewrite-messages.js';
import { isSameList } from '../same-list.js';
import { withFields } from '../with-fields.js';
import { type GenAiMessage, genAiMessages, readContents, readSystem, writeContents, writeSystem } from './genai-messages.js';
import { changeGenAiResponse, showGenAiResponse } from './genai-response.js';
import { genAiToolNames, showGenAiToolConfig, withGenAiToolConfig } from './genai-tools.js';

/** What is asked of the `GenerateContentParameters` of `@google/genai`, which are not imported: a host may have another version, or none. */
export interface GenAiRequest {
  readonly model: string;
  readonly contents: unknown;
  readonly config?: object | undefined;
}

/** What is asked of its `GenerateContentResponse`. */
export interface GenAiResponse {
  readonly candidates?: readonly object[] | undefined;
}

const configNames: ConfigNames = {
  temperature: 'temperature',
  maxOutputTokens: 'maxOutputTokens',
  topP: 'topP',
  topK: 'topK',
  stopSequences: 'stopSequences',
  candidateCount: 'candidateCount',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
};

/**
 * The requests and responses of `generateContent` of `@google/genai`. The `systemInstruction` is shown as a first message; system messages
 * of a hook go there, wherever they stand in its list. `contents` keep the form they came in (a text, parts, `Content`) while they can.
 */
export function genAiTranslator<Request extends GenAiRequest = never, Response extends GenAiResponse = never>(): LlmTranslator<
  Request,
  Response
> {
  return {
    name: 'genai',
    toHookRequest,
    fromHookRequest: (changed, original) => changeRequest(changed, original),
    toHookResponse: showGenAiResponse,
    fromHookResponse: (changed, original, change) => changeGenAiResponse(changed, original, change) as Response,
    toolNames: (request) => genAiToolNames(fieldsOf(request.config)),
    withToolConfig: (request, toolConfig) => withConfig(request, withGenAiToolConfig(fieldsOf(request.config), toolConfig)),
  };
}

function toHookRequest(request: GenAiRequest): LLMRequest {
  const config = fieldsOf(request.config);
  const shownConfig = showConfig(config, configNames);
  const toolConfig = showGenAiToolConfig(config);
  return {
    ...(typeof request.model === 'string' ? { model: request.model } : {}),
    messages: readMessages(request).flatMap((message) => genAiMessages.show(message) ?? []),
    ...(shownConfig === undefined ? {} : { config: shownConfig }),
    ...(toolConfig === undefined ? {} : { toolConfig }),
  };
}

function changeRequest<Request extends GenAiRequest>(changed: LLMRequest, original: Request): Request {
  const { contents, systemInstruction } = changedMessages(changed, original);
  const config = withFields(fieldsOf(original.config), {
    ...changedConfig(fieldsOf(original.config), changed.config, configNames),
    systemInstruction,
  });
  const withMessages = withFields(original, { contents, ...changedModel(changed) });
  return withConfig(withMessages, changed.toolConfig === undefined ? config : withGenAiToolConfig(config, changed.toolConfig));
}

function changedMessages(changed: LLMRequest, original: GenAiRequest) {
  const { systemInstruction } = fieldsOf(original.config);
  const { contents } = original;
  const messages = readMessages(original);
  const rewritten = rewriteMessages(genAiMessages, messages, changed.messages);
  const others = rewritten.filter(({ isSystem }) => !isSystem);
  const systems = rewritten.filter(({ isSystem }) => isSystem);
  const isSame = (after: readonly GenAiMessage[], isSystem: boolean) => {
    return isSameList(
      after,
      messages.filter((message) => message.isSystem === isSystem),
    );
  };
  return {
    contents: isSame(others, false) ? contents : writeContents(others, contents),
    systemInstruction: isSame(systems, true) ? systemInstruction : writeSystem(systems, systemInstruction),
  };
}

function readMessages({ contents, config }: GenAiRequest) {
  return [...readSystem(fieldsOf(config)['systemInstruction']), ...readContents(contents)];
}

/** A request without a `config` gets none for nothing. */
function withConfig<Request extends GenAiRequest>(request: Request, config: Readonly<Record<string, unknown>>): Request {
  return !isPlainObject(request.config) && Object.keys(config).length === 0 ? request : withFields(request, { config });
}
