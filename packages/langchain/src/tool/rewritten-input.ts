import type { ToolSchema } from '@tenterhook/agent';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { isSameJson } from '@tenterhook/runtime/json';

/**
 * Returns the schema of a tool for inputs that hooks rewrite. The input of the model itself always passes, because LangChain checks it and
 * has its own message. Undefined for a JSON Schema, which LangChain checks when the tool runs.
 */
export function toRewriteSchema(tool: unknown, original: unknown): ToolSchema | undefined {
  const schema = (tool as { readonly schema?: Partial<ToolSchema> | null } | undefined)?.schema;
  const standard = schema?.['~standard'];
  if (typeof standard?.validate !== 'function') return undefined;
  // Once a rewritten input has been checked, the original one is compared with it to find out whether the hook or the model is to blame.
  let isRewritten = false;
  return {
    '~standard': {
      validate(value) {
        isRewritten ||= !isSameJson(value, original);
        return isRewritten ? standard.validate(value) : {};
      },
    },
  };
}

/** Names the hooks that rewrote the input, for an input that LangChain refused. */
export function nameRewriters(results: readonly (AggregatedHookResult | undefined)[]): string {
  const ids = results
    .flatMap((result) => result?.changes ?? [])
    .flatMap(({ path, hookId }) => (path.startsWith('tool_input') ? [hookId] : []));
  const names = [...new Set(ids)].map((id) => `"${id}"`).join(', ');
  return names === '' ? '' : `The input was rewritten by hook ${names}. `;
}
