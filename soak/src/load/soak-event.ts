import type { FireOptions, Hooks } from 'tenterhook';
import type { Random } from './random.js';

/** The events for which the event handler has a method. */
export const soakEvents = [
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'AfterAgent',
  'BeforeModel',
  'AfterModel',
  'BeforeToolSelection',
  'SessionStart',
  'SessionEnd',
  'PreCompress',
  'Notification',
] as const;

export type SoakEvent = (typeof soakEvents)[number];

type Handler = ReturnType<Hooks['getEventHandler']>;
type Fired = ReturnType<Handler['fire']>;

/** An event to send: its fields for the bus, and the equivalent method call. */
export interface EventInput {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly fire: (handler: Handler, options: FireOptions) => Fired;
}

const toolNames = ['write_file', 'read_file', 'run_shell_command', 'mcp__server__tool', 'überschreibe'] as const;

export function makeInput(eventName: SoakEvent, random: Random): EventInput {
  const toolName = random.pick(toolNames);
  const toolInput = { path: 'a.txt', content: someText(random) };
  const toolResponse = { llmContent: someText(random), returnDisplay: 'done' };
  const request = {
    model: 'any',
    messages: [{ role: 'user' as const, content: someText(random) }],
    config: { temperature: random.float() },
  };
  const response = { text: someText(random), candidates: [{ content: { role: 'model', parts: ['yes'] } }] };
  const text = someText(random);
  switch (eventName) {
    case 'BeforeTool':
      return {
        fields: { tool_name: toolName, tool_input: toolInput },
        fire: (handler, options) => handler.fireBeforeToolEvent(toolName, toolInput, undefined, options),
      };
    case 'AfterTool':
      return {
        fields: { tool_name: toolName, tool_input: toolInput, tool_response: toolResponse },
        fire: (handler, options) => handler.fireAfterToolEvent(toolName, toolInput, toolResponse, undefined, options),
      };
    case 'BeforeAgent':
      return { fields: { prompt: text }, fire: (handler, options) => handler.fireBeforeAgentEvent(text, options) };
    case 'AfterAgent':
      return {
        fields: { prompt: text, prompt_response: 'done', stop_hook_active: false },
        fire: (handler, options) => handler.fireAfterAgentEvent(text, 'done', false, options),
      };
    case 'BeforeModel':
      return { fields: { llm_request: request }, fire: (handler, options) => handler.fireBeforeModelEvent(request, options) };
    case 'AfterModel':
      return {
        fields: { llm_request: request, llm_response: response },
        fire: (handler, options) => handler.fireAfterModelEvent(request, response, options),
      };
    case 'BeforeToolSelection':
      return { fields: { llm_request: request }, fire: (handler, options) => handler.fireBeforeToolSelectionEvent(request, options) };
    case 'SessionStart': {
      const source = random.pick(['startup', 'resume', 'clear', 'compress']);
      return { fields: { source }, fire: (handler, options) => handler.fireSessionStartEvent(source, options) };
    }
    case 'SessionEnd': {
      const reason = random.pick(['exit', 'clear', 'logout', 'prompt_input_exit', 'other']);
      return { fields: { reason }, fire: (handler, options) => handler.fireSessionEndEvent(reason, options) };
    }
    case 'PreCompress': {
      const trigger = random.pick(['manual', 'auto']);
      return { fields: { trigger }, fire: (handler, options) => handler.firePreCompressEvent(trigger, options) };
    }
    case 'Notification':
      return {
        fields: { notification_type: 'ToolPermission', message: text, details: { path: 'a.txt' } },
        fire: (handler, options) => handler.fireNotificationEvent('ToolPermission', text, { path: 'a.txt' }, options),
      };
  }
}

/** Returns a text that is mostly short and sometimes hostile: quotes, NUL, half a character, a line of a megabyte. */
function someText(random: Random): string {
  switch (random.weighted({ short: 20, quotes: 3, odd: 3, long: 3, large: 1 })) {
    case 'short':
      return 'hello';
    case 'quotes':
      return `it's "$(rm -rf nothing)" \`date\` ; exit 2 #`;
    case 'odd':
      return '\u0000\ufeff\ud83d\u2028 {"decision":"deny"}\r\n';
    case 'long':
      return 'long '.repeat(random.integer(100, 4000));
    case 'large':
      return 'x'.repeat(1024 * 1024);
  }
}
