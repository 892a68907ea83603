import type { EventRecord, Hooks } from 'tenterhook';
import { readRecording } from 'tenterhook/recording';
import { watchVerdicts } from '../verdict-table.js';

/** Makes the table of the calls from a recording, because the hooks run in the process of the command. */
export async function tableOfRecording(file: string): Promise<string> {
  const { exchanges } = await readRecording(file);
  const records = exchanges.map(({ request, response }) => ({ request: request?.payload, response: response?.payload }));
  const events$ = {
    subscribe({ next, complete }: { next(record: EventRecord): void; complete(): void }) {
      for (const record of records) next(record as unknown as EventRecord);
      complete();
    },
  };
  return watchVerdicts({ events$ } as unknown as Hooks);
}
