import { fieldsOf, findRuns } from '@tenterhook/agent/internal';
import type { AnyHandoff } from '../agents-sdk.js';
import { clientOf, type Hooked } from '../options.js';

type InputFilter = NonNullable<AnyHandoff['inputFilter']>;

/**
 * Returns a filter that leaves the conversation as it is if a hook stopped the agent at one of its calls. The next model call finds the stop
 * by the result of the call, and a filter often removes results. The model does not read the conversation then.
 */
export function keepStops(hooked: Hooked, filter: InputFilter): InputFilter {
  return (data) => {
    const runs = findRuns(clientOf(hooked));
    if (runs?.hasLeft !== true) return filter(data);
    // A request without tools does not show its run.
    const known = [runs.find(data.runContext), runs.find(undefined)];
    const isStopped = (item: unknown) => {
      const { callId } = fieldsOf(fieldsOf(item)['rawItem']);
      return typeof callId === 'string' && known.some((run) => run?.mayBeStopped(callId) === true);
    };
    if ([...data.preHandoffItems, ...data.newItems].some(isStopped)) return data;
    return filter(data);
  };
}
