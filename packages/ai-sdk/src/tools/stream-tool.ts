import type { HookClient } from '@tenterhook/agent';
import { runTool, type ToolRun } from './run-tool.js';

/**
 * Runs a tool that gives preliminary results. They are passed on at once, unless AfterTool has hooks: hooks check the last result only, and
 * what they remove from it must not have been shown before.
 */
export async function* streamTool(
  client: HookClient,
  toolRun: Omit<ToolRun, 'run'> & { readonly open: (input: unknown) => AsyncIterable<unknown> },
): AsyncGenerator<unknown, void, undefined> {
  const passes = !client.has('AfterTool');
  const items = new ItemQueue();
  let last: unknown;
  const run = async (input: unknown) => {
    for await (const item of toolRun.open(input)) {
      last = item;
      if (passes) items.push(item);
    }
    return last;
  };
  const running = runTool(client, { ...toolRun, run }).finally(() => items.end());
  // The reader may leave before the tool ends. Then this promise is not awaited.
  running.catch(() => {});
  let count = 0;
  for await (const item of items) {
    count += 1;
    yield item;
  }
  const output = await running;
  if (count === 0 || output !== last) yield output;
}

/** Items that one side adds and the other reads. */
class ItemQueue {
  readonly #items: unknown[] = [];
  #hasEnded = false;
  #wake: (() => void) | undefined;

  push(item: unknown): void {
    this.#items.push(item);
    this.#wake?.();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift();
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
