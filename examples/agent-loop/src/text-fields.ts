import type { ToolSchema } from '@tenterhook/agent';

/**
 * A schema for an object of strings, in the few lines that the Standard Schema interface takes. A schema of zod, valibot or arktype
 * works too. The schema matters because hooks rewrite the input of a tool: it is checked after the hooks.
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
