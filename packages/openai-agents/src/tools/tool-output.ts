import { fieldsOf, tellMessage } from '@tenterhook/agent/internal';
import type { FunctionTool } from '../agents-sdk.js';
import type { OwnedCall } from '../known-calls.js';
import { isOfHookedModel, type ToolHost } from './tool-host.js';

/** The output of a function tool, and the texts that the model reads after it. */
interface Output {
  readonly value: unknown;
  readonly texts: readonly string[];
  /** Absent if the texts must be in the output. */
  readonly call?: OwnedCall | undefined;
}

/**
 * Adds texts for the model to an output. A text and a list of parts have a place for them. Any other value must keep its type for the app,
 * so the texts are added to each request that sends the value, if the model is hooked. Otherwise the value becomes a text, as the SDK would
 * write it.
 */
export function withTexts(
  host: ToolHost,
  tool: FunctionTool,
  { value, texts, call }: Output,
): { readonly output: unknown; readonly additions?: readonly string[] } {
  if (texts.length === 0) return { output: value };
  const text = texts.join('\n');
  const hasSchema = tool.outputSchema !== undefined;
  if (!hasSchema && typeof value === 'string') return { output: value === '' ? text : `${value}\n\n${text}` };
  if (!hasSchema && isPart(value)) return { output: [value, { type: 'text', text }] };
  if (!hasSchema && Array.isArray(value) && value.length > 0 && value.every(isPart)) return { output: [...value, { type: 'text', text }] };
  if (call !== undefined && isOfHookedModel(host, call)) return { output: value, additions: texts };
  if (!hasSchema) return { output: `${toText(value)}\n\n${text}` };
  const lost = `The output of ${tool.name} has a schema, so the model does not read what hooks added to it (no_effect): ${text}`;
  tellMessage(host.hooked.options.onMessage, { text: lost, audience: 'user', eventName: 'AfterTool' });
  return { output: value };
}

function isPart(value: unknown): boolean {
  const { type, text } = fieldsOf(value);
  return type === 'image' || type === 'file' || (type === 'text' && typeof text === 'string');
}

function toText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
