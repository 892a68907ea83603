import type { Diagnostic } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';
import { formatValue } from '../../shared/text.js';
import type { HandlerContext } from '../handlers/handler-context.js';
import { type ClaudeEvent, factsOf } from '../input/event-table.js';

/** What a handler of each type holds beside the fields of all, and how long it has where nobody says, in seconds. */
const handlerTypes = {
  command: { fields: ['command', 'args', 'shell', 'async', 'asyncRewake'], timeoutS: 600 },
  http: { fields: ['url', 'headers', 'allowedEnvVars'], timeoutS: 600 },
  mcp_tool: { fields: ['server', 'tool', 'input'], timeoutS: 600 },
  prompt: { fields: ['prompt', 'model', 'continueOnBlock'], timeoutS: 30 },
  agent: { fields: ['prompt', 'model', 'continueOnBlock'], timeoutS: 60 },
} as const;

export type HandlerType = keyof typeof handlerTypes;

const typeNames = Object.keys(handlerTypes) as HandlerType[];
const commonFields = ['type', 'if', 'timeout', 'statusMessage', 'once', 'onFailure', 'onError'];

export function fieldsOfType(type: HandlerType): readonly string[] {
  return [...commonFields, ...handlerTypes[type].fields];
}

/** Of every type, so that one that stands elsewhere can be told where it belongs. */
export const allHandlerFields: readonly string[] = [
  ...new Set([...commonFields, ...typeNames.flatMap((type) => handlerTypes[type].fields)]),
];

/** The budget that all hooks of the end of a session share, in seconds. */
export const sessionEndS = 1.5;

export function defaultTimeoutS(type: HandlerType, event: ClaudeEvent): number {
  if (event === 'SessionEnd') return sessionEndS;
  return Math.min(handlerTypes[type].timeoutS, factsOf(event).timeoutS ?? Number.POSITIVE_INFINITY);
}

/** A handler that says nothing of its type is a command, which nearly all are. */
export function readType(
  { type }: Readonly<Record<string, unknown>>,
  { reporter, path, event, eventName, hookId }: HandlerContext,
): { readonly type: HandlerType; readonly problem?: Diagnostic } {
  const place = [...path, 'type'];
  if (type === undefined) return { type: 'command' };
  if (!isHandlerType(type)) {
    const nearest = typeof type === 'string' ? nearestName(type, typeNames) : undefined;
    const remedy = nearest === undefined ? `Types are ${typeNames.join(', ')}.` : `Did you mean "${nearest}"?`;
    const message = `There is no type ${formatValue(type)}; the hook does not run.`;
    return { type: 'command', problem: reporter.report('unknown_type', 'error', place, message, { remedy, eventName, hookId }) };
  }
  const { types } = factsOf(event);
  if (types === undefined || types.includes(type)) return { type };
  const message = `${event} takes no hook of the type ${formatValue(type)}; it does not run.`;
  const remedy = `Write a hook of the type ${types.join(' or ')}.`;
  return { type, problem: reporter.report('unknown_type', 'error', place, message, { remedy, eventName, hookId }) };
}

function isHandlerType(type: unknown): type is HandlerType {
  return typeof type === 'string' && Object.hasOwn(handlerTypes, type);
}
