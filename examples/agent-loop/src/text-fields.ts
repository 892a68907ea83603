import type { ToolSchema } from '@tenterhook/agent';

/**
 * A schema for an object of texts, in the few lines that the Standard Schema interface takes. A schema of zod, valibot or arktype can stand
 * in its place. It matters because hooks rewrite what a tool gets: the input is checked after they had their say.
 */
export function textFields(...names: readonly string[]): ToolSchema {
  return {
    '~standard': {
      validate(value) {
        const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
        const wrong = names.filter((name) => typeof fields[name] !== 'string');
        return wrong.length === 0 ? {} : { issues: wrong.map((name) => ({ message: 'must be a text', path: [name] })) };
      },
    },
  };
}
