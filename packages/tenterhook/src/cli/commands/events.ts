import { defaultDialects } from '@tenterhook/dialects';
import { containDialect } from '@tenterhook/engine/internal';
import { type Dialect, type HookEventName, hookEventNames, isHookEventName } from '@tenterhook/protocol';
import { suggestName } from '@tenterhook/runtime/text';
import { type DescribedEvent, describeEvent, renderEvent, renderEvents } from '../../output/reports/event-report.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { type CommandContext, printJson, styleOf } from '../context.js';
import { ExitStatus, UsageError } from '../errors/exit-status.js';
import { findDialect } from '../hooks/dialect-name.js';

export interface EventsFlags {
  readonly dialect?: string;
  readonly json?: boolean;
}

/** Lists the events, or describes one event with its fields and a sample for `fire`. Resolves to the exit status. */
export async function events(asked: string | undefined, flags: EventsFlags, context: CommandContext): Promise<number> {
  const all = defaultDialects().map(containDialect);
  const named = flags.dialect === undefined ? undefined : findDialect(flags.dialect, all);
  // A name that is not canonical, e.g. `PreToolUse`, selects the first format that has it. Users then need no --dialect.
  const dialect =
    named ?? (asked === undefined || isHookEventName(asked) ? undefined : all.find(({ events = {} }) => Object.hasOwn(events, asked)));
  const described = spellingsOf(dialect)
    .filter(([spelling, eventName]) => asked === undefined || asked === spelling || asked === eventName)
    .map(([spelling, eventName]) => describeEvent(eventName, spelling, dialect));
  if (described.length === 0) throw unknownEvent(asked ?? '', dialect);
  if (flags.json) printJson(context, { ...(dialect === undefined ? {} : { dialect: dialect.name }), events: described });
  else context.stdout.write(textOf(described, asked, dialect, context));
  return ExitStatus.ok;
}

function textOf(
  described: readonly DescribedEvent[],
  asked: string | undefined,
  dialect: Dialect | undefined,
  context: CommandContext,
): string {
  const style = styleOf(context);
  return joinParagraphs(
    asked === undefined ? renderEvents(described, dialect, style) : described.flatMap((event) => renderEvent(event, dialect, style)),
  );
}

/**
 * Returns pairs of an event's name in the dialect and its canonical name, e.g. `['PreToolUse', 'BeforeTool']`, in the order of the
 * catalogue.
 */
function spellingsOf(dialect: Dialect | undefined): (readonly [spelling: string, eventName: HookEventName])[] {
  const spellings = Object.entries(dialect?.events ?? {}) as [string, HookEventName][];
  if (spellings.length === 0) return hookEventNames.map((eventName) => [eventName, eventName]);
  return hookEventNames.flatMap((eventName) => spellings.filter(([, canonical]) => canonical === eventName));
}

function unknownEvent(asked: string, dialect: Dialect | undefined): UsageError {
  const known = spellingsOf(dialect).map(([spelling]) => spelling);
  const whose = dialect === undefined ? 'There is' : `${dialect.agent ?? dialect.name} has`;
  return new UsageError(`${whose} no event "${asked}". ${suggestName(asked, known, `Events are ${known.join(', ')}.`)}`);
}
