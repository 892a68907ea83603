// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.

import { createSpawner, type ResidentExit, type ResidentJob, type Spawner, type SpawnerLimits } from '../../src/index.js';
import { openRig, type Rig, shellJob } from '../process-rig.js';

/** Begins a script that reads questions: it sets `id` and `input`, and `say` prints an answer with this id. */
export const questions = `say() { printf '{"id":%s,"stdout":"%s"}\\n' "$id" "$1"; }
while IFS= read -r line; do id=\${line#*:}; id=\${id%%,*}; input=\${line#*'"input":'}; input=\${input%\\}};`;

/** A resident script that runs this text for each question. */
export const answering = (text: string): string => `${questions}\n${text}\ndone`;

export interface ResidentRig extends Rig {
  readonly spawner: Spawner;
  ask(text: string, input?: unknown, options?: Partial<ResidentJob>): Promise<ResidentExit>;
}

export function openResidentRig(limits: Partial<SpawnerLimits> = {}): ResidentRig {
  const rig = openRig();
  const spawner = createSpawner({ killGraceMs: 200, ...limits });
  return {
    ...rig,
    spawner,
    ask: (text, input = {}, options = {}) =>
      spawner.residents.run({ ...shellJob(text, { cwd: rig.place }), stdin: JSON.stringify(input), key: 'k', version: '1', ...options }),
    close: async () => {
      await spawner.dispose();
      await rig.close();
    },
  };
}
