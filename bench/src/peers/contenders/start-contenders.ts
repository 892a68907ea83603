import type { Absent, Variant } from '../../bench.js';
import type { CommandHooks, Contender, Ready } from './contender.js';

/** The contenders of one benchmark that could be started, and the others with the reason. */
export interface Started {
  readonly variants: readonly Variant[];
  readonly absent: readonly Absent[];
  dispose(): Promise<void>;
}

/** Starts each contender with these hooks. A contender that cannot be started on this machine is reported and left out. */
export async function startContenders(
  contenders: readonly Contender[],
  hooks: CommandHooks,
  input: Record<string, unknown>,
): Promise<Started> {
  const ready: Ready[] = [];
  const absent: Absent[] = [];
  for (const { name, start } of contenders) {
    try {
      ready.push(await start(hooks, input));
    } catch (error) {
      absent.push({ name, why: (error as Error).message.split('\n')[0] as string });
    }
  }
  return {
    variants: ready.map(variantOf),
    absent,
    dispose: async () => {
      for (const { dispose } of ready) await dispose?.();
    },
  };
}

function variantOf({ name, fire, measure }: Ready): Variant {
  return { name, run: fire, ...(measure === undefined ? {} : { measure }) };
}
