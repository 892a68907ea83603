import { escapedJson } from '../api/json.js';
import { type CompareWork, compareFiles } from '../compare/compare-files.js';
import { carryOut, type DetailsWork } from '../details/details-work.js';

/** What a thread can do for the server. */
export type Task = { readonly details: DetailsWork } | { readonly compare: CompareWork };

/** Returns the answer as JSON. Undefined if there is none. */
export async function carryOutTask(task: Task): Promise<string | undefined> {
  return 'details' in task ? carryOut(task.details) : escapedJson(await compareFiles(task.compare));
}
