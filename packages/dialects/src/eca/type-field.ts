import { type Diagnostic, isHookEventName } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';
import { sameEvent } from '../shared/settings/known-event.js';
import type { DocumentPath, Reporter } from '../shared/settings/reporter.js';
import { formatValue } from '../shared/text.js';
import { type EcaType, ecaTypes, entryOf, typeOf, typeOfEvent } from './event-types.js';

const types = Object.keys(ecaTypes) as EcaType[];

/** Types of later versions, for events that no host of this format tells of. */
const laterTypes: readonly unknown[] = ['subagentStart', 'subagentPostRequest', 'preCompact', 'postCompact', 'chatStatusChanged'];

/** The type of a hook. `nearest` is the one that was probably meant, so that its event knows of a hook that does not run. */
export interface ReadType {
  readonly type?: EcaType;
  readonly nearest?: EcaType;
  readonly problem?: Diagnostic;
}

export function readType(value: Readonly<Record<string, unknown>>, path: DocumentPath, reporter: Reporter): ReadType {
  const written = value['type'];
  const type = typeOf(written);
  if (type !== undefined) return { type };
  const isLater = laterTypes.includes(written);
  const nearest = typeof written === 'string' && !isLater ? meantBy(written) : undefined;
  const message =
    written === undefined
      ? 'The hook has no "type", so nobody knows when it should run; it does not.'
      : `There is no type ${formatValue(written)}; the hook does not run.`;
  const known = `${isLater ? 'Later versions of ECA have it; types here are' : 'Types are'} ${types.join(', ')}.`;
  const remedy = nearest === undefined ? known : remedyFor(written as string, nearest);
  const place = written === undefined ? path : [...path, 'type'];
  const about = nearest === undefined ? {} : { eventName: entryOf(nearest).eventName };
  const problem = reporter.report('unknown_event', 'error', place, message, { remedy, ...about });
  return { ...(nearest === undefined ? {} : { nearest }), problem };
}

function remedyFor(written: string, nearest: EcaType): string {
  return !isHookEventName(written) && ownName(written) === nearest
    ? `Did you mean "${nearest}"?`
    : `What other agents call "${written}" is "${nearest}" here.`;
}

/** Another agent's name first: `SessionStart` is the start of a chat there, and in other letters it would be that of the server. */
function meantBy(written: string): EcaType | undefined {
  if (isHookEventName(written)) return typeOfEvent(written);
  const own = ownName(written);
  const foreign = sameEvent(written)?.eventName;
  return own ?? (foreign === undefined ? undefined : typeOfEvent(foreign));
}

/** In other letters, or misspelled. */
function ownName(written: string): EcaType | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[_ -]/g, '');
  const same = types.find((type) => letters(written) === letters(type));
  return same ?? (nearestName(written, types) as EcaType | undefined);
}
