import { isPlainObject } from '@tenterhook/runtime/json';

/** The maximum number of tools. A server that declares more is treated as if the others had no schema. */
const most = 10_000;

/** Which tools of the server declared an `outputSchema`, learned from the results of `tools/list`. */
export class OutputSchemas {
  readonly #names = new Set<string>();

  learn(result: unknown): void {
    const tools = isPlainObject(result) && Array.isArray(result['tools']) ? result['tools'] : [];
    for (const tool of tools) {
      if (!isPlainObject(tool) || typeof tool['name'] !== 'string') continue;
      if (tool['outputSchema'] === undefined) this.#names.delete(tool['name']);
      else if (this.#names.size < most) this.#names.add(tool['name']);
    }
  }

  has(toolName: string): boolean {
    return this.#names.has(toolName);
  }
}
