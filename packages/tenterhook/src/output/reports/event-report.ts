import { type Dialect, eventEntry, type HookEventName } from '@tenterhook/protocol';
import { type InputField, inputFieldsOf } from '@tenterhook/protocol/internal';
import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { paragraph, type ReportStyle, tableLines } from './report-style.js';

/** An event as `tenterhook events` prints it. */
export interface DescribedEvent {
  readonly eventName: HookEventName;
  /** The name in the settings, if it differs from `eventName`. */
  readonly dialectEvent?: string;
  readonly when: string;
  /** `host` if Tenterhook never fires the event, and an agent must publish it itself. */
  readonly firedBy: 'tenterhook' | 'host';
  /** What a deny does. Absent if hooks cannot deny the event. */
  readonly deny?: string;
  readonly stop?: string;
  readonly matcherField?: string;
  readonly matcherExample?: string;
  /** The fields of this event, without those that every event has. */
  readonly fields: readonly InputField[];
  /** An input for `tenterhook fire`, with the names of the dialect. */
  readonly sample: Readonly<Record<string, unknown>>;
}

/** Describes an event of the catalogue, with a sample in the names of the dialect. */
export function describeEvent(
  eventName: HookEventName,
  spelling: string,
  dialect: Dialect | undefined,
  sample: Readonly<Record<string, unknown>> = eventEntry(eventName).sample,
): DescribedEvent {
  const { when, firedBy, may, effects, matcherField, matcherExample } = eventEntry(eventName);
  return {
    eventName,
    when,
    firedBy: firedBy ?? 'tenterhook',
    ...omitUndefined({
      dialectEvent: spelling === eventName ? undefined : spelling,
      deny: may.block === false ? undefined : effects.deny,
      stop: may.stop ? effects.stop : undefined,
      matcherField,
      matcherExample,
    }),
    fields: inputFieldsOf(eventName),
    sample:
      dialect?.writeInput === undefined
        ? sample
        : omitUndefined<Readonly<Record<string, unknown>>>(dialect.writeInput(spelling, toEvent(eventName, sample))),
  };
}

/**
 * Creates an event from a sample. The dialects of some agents need absolute paths, so paths of the sample are resolved against a project
 * folder.
 */
function toEvent(eventName: HookEventName, sample: Readonly<Record<string, unknown>>): Parameters<NonNullable<Dialect['writeInput']>>[1] {
  const projectDir = '/srv/app';
  const base = {
    session_id: 's1',
    transcript_path: '',
    cwd: projectDir,
    hook_event_name: eventName,
    timestamp: '1970-01-01T00:00:00.000Z',
  };
  return { eventName, projectDir, input: { ...base, ...sample } };
}

/** Formats all events: when each is fired, and whether a hook can deny it. */
export function renderEvents(events: readonly DescribedEvent[], dialect: Dialect | undefined, style: ReportStyle): string[][] {
  const rows = (list: readonly DescribedEvent[]) =>
    groupSpellings(list).map(([event, ...others]) => [
      [...others.map(({ dialectEvent }) => dialectEvent), nameOf(event)].reverse().join(', '),
      event.deny === undefined ? '' : 'can be denied',
      event.when,
    ]);
  const [own, published] = [events.filter(({ firedBy }) => firedBy !== 'host'), events.filter(({ firedBy }) => firedBy === 'host')];
  const whose = dialect === undefined ? 'Events' : `Events of ${dialect.agent ?? dialect.name}`;
  const option = dialect === undefined ? '' : ` --dialect ${dialect.name}`;
  return [
    [style.paint('bold', whose), ...tableLines(rows(own), 2, style)],
    published.length === 0
      ? []
      : [
          ...paragraph('Fired only by an agent that publishes them itself', { indent: 0, look: 'bold' }, style),
          ...tableLines(rows(published), 2, style),
        ],
    paragraph(`tenterhook events <Event>${option} shows the fields of an event, and a sample to fire.`, { indent: 0 }, style),
  ];
}

/** Formats one event: what hooks can do, its fields, and how to try it. */
export function renderEvent(event: DescribedEvent, dialect: Dialect | undefined, style: ReportStyle): string[][] {
  const { when, firedBy, deny, stop, matcherField, matcherExample, fields } = event;
  const facts = [
    ['fired', `${when}${firedBy === 'host' ? ', by an agent that publishes it itself' : ''}`],
    ['deny', deny ?? 'hooks cannot deny it'],
    ['stop', stop ?? 'hooks cannot stop the agent'],
    ...(matcherField === undefined ? [] : [['matcher', `compared with ${matcherField}, for example ${matcherExample ?? ''}`]]),
  ];
  const rows = fields.map(({ name, type, required, meaning }) => [`${name}${required ? '' : '?'}`, type, meaning]);
  const heading = event.dialectEvent === undefined ? 'Fields' : `Fields of ${event.eventName}`;
  return [
    [style.paint('bold', nameOf(event)), ...tableLines(facts, 2, style)],
    rows.length === 0 ? [] : [style.paint('bold', heading), ...tableLines(rows, 2, style)],
    // Not wrapped, because users copy this line.
    [style.paint('bold', 'Try it'), `  ${commandOf(event, dialect)}`],
  ];
}

/** Groups the names that a dialect has for one event, if the agent sends the same input for each name. */
function groupSpellings(events: readonly DescribedEvent[]): [DescribedEvent, ...DescribedEvent[]][] {
  const groups: [DescribedEvent, ...DescribedEvent[]][] = [];
  for (const event of events) {
    const [first] = groups.at(-1) ?? [];
    if (first?.eventName === event.eventName && isSameJson(first.sample, event.sample)) groups.at(-1)?.push(event);
    else groups.push([event]);
  }
  return groups;
}

function nameOf({ eventName, dialectEvent }: DescribedEvent): string {
  return dialectEvent === undefined ? eventName : `${dialectEvent} (${eventName})`;
}

function commandOf({ eventName, dialectEvent = eventName, sample }: DescribedEvent, dialect: Dialect | undefined): string {
  const option = dialect === undefined ? '' : ` --dialect ${dialect.name}`;
  const input = Object.keys(sample).length === 0 ? '' : ` --input '${JSON.stringify(sample).replaceAll("'", `'\\''`)}'`;
  return `tenterhook fire ${dialectEvent}${option}${input}`;
}
