import { exampleStdin } from './example-stdin.mjs';
import { fieldsOf, inputTable, optionalTable, withCode } from './fields.mjs';
import { code, table } from './sections.mjs';

/** How several answers are merged, by strategy. The order of verdicts is the same in all strategies. */
const strategies = {
  'or-decision': 'if one hook denies, the verdict is a deny. Messages and contexts are joined, each on its own line',
  'field-replacement':
    'if one hook denies, the verdict is a deny. Messages and contexts are joined. If several hooks write another field, or the same key of `config`, the value of the last hook is used',
  'tool-selection':
    'tool names of hooks of the same level are joined. If hooks of several levels select tools, only tools that every level selected stay. NONE overrides ANY, and ANY overrides AUTO',
  observe: 'messages are joined. If several hooks write another field, the value of the last hook is used',
};

/** What the second of two sequential hooks receives, by the rule of the rewrite. */
const chains = {
  merge: (path) => `${code(path)} with the keys that earlier hooks wrote`,
  replace: (path) => `the ${code(path)} that earlier hooks wrote`,
  'llm-request': (path) =>
    `${code(path)} with the changes of earlier hooks: the fields that they wrote, and in \`config\` the keys that they wrote`,
  'llm-response': (path) => `${code(path)} with the changes of earlier hooks`,
  'tool-config': () => '`llm_request.toolConfig` with the tools that earlier hooks selected',
  'tool-output': (path) => `the ${code(path)} that earlier hooks wrote`,
};

/** Makes the generated sections of an event's page. */
export async function eventSections(protocol, eventName, page) {
  const entry = protocol.eventCatalogue[eventName];
  const toModelData = (type) => (type === 'result' ? undefined : `../hooks.md#${type}`);
  const stdin = inputTable(fieldsOf(entry.input, toModelData));
  const example = ['```json', await exampleStdin(eventName, page), '```'].join('\n');
  return {
    facts: factTable(entry),
    stdin: [stdin, 'This is what the hooks of the example below read:', example].join('\n\n'),
    stdout: [
      optionalTable(commonFields(protocol.hookOutputSchema, entry)),
      '`hookSpecificOutput` of this event:',
      optionalTable(fieldsOf(entry.specificOutput, toModelData)),
    ].join('\n\n'),
    chaining: chaining(entry),
  };
}

/**
 * Makes the sections of the page about events that only an agent publishes. The first section has what they have in common; then
 * each event has a section.
 */
export async function publishedEventSections(protocol, page) {
  const entries = Object.entries(protocol.eventCatalogue).filter(([, entry]) => entry.firedBy === 'host');
  // HostStart has only the fields that all events have.
  const sharedInput = protocol.eventCatalogue.HostStart.input;
  const shared = new Set(Object.keys(sharedInput.shape));
  const example = ['```json', await exampleStdin(exampleEventOn(page), page), '```'].join('\n');
  return {
    'shared-stdin': inputTable(fieldsOf(sharedInput)),
    'shared-stdout': optionalTable(fieldsOf(protocol.hookOutputSchema)),
    events: entries.map(([name, entry]) => publishedEvent(name, entry, shared)).join('\n\n'),
    'example-stdin': example,
  };
}

function publishedEvent(name, entry, shared) {
  const ownInput = fieldsOf(entry.input).filter((field) => !shared.has(field.name.slice(1, -1)));
  const ownOutput = fieldsOf(entry.specificOutput).filter((field) => field.name !== '`hookEventName`');
  const facts = factRows(entry);
  return [
    `### ${name}`,
    table(['', ''], facts),
    ownInput.length === 0
      ? 'On stdin, hooks receive only the shared fields.'
      : `Fields on stdin, in addition to the shared fields:\n\n${inputTable(ownInput)}`,
    ownOutput.length === 0
      ? 'This event has no fields in `hookSpecificOutput`.'
      : `Fields of \`hookSpecificOutput\`:\n\n${optionalTable(ownOutput)}`,
  ].join('\n\n');
}

/** Finds the event in the command of the page's only example. */
function exampleEventOn(page) {
  const [, eventName] = page.match(/^npx tenterhook fire (\w+)\b/m) ?? [];
  if (eventName === undefined) throw new Error('The page of published events has no line "npx tenterhook fire …".');
  return eventName;
}

/** Makes a row of the overview for each event. The events are those that Tenterhook fires, or those that only an agent publishes. */
export function eventTable({ eventCatalogue }, firedBy) {
  const linkTo = (name) => (firedBy === 'host' ? `other-agents.md#${name.toLowerCase()}` : `${name}.md`);
  const entries = Object.entries(eventCatalogue).filter(([, entry]) => entry.firedBy === firedBy);
  return table(
    ['event', 'fires', 'a matcher is compared with', 'effect of a deny', 'can stop', 'can rewrite', 'can add context', 'several hooks'],
    entries.map(([name, entry]) => [
      `[${name}](${linkTo(name)})`,
      entry.when,
      entry.matcherField === undefined ? '–' : code(entry.matcherField),
      withCode(entry.effects.deny),
      entry.may.stop ? 'yes' : 'no',
      printable(entry).map(code).join(', ') || 'no',
      contextOf(entry) !== undefined ? 'yes' : entry.may.inject ? 'as a message' : 'no',
      code(entry.strategy),
    ]),
  );
}

export function strategyTable() {
  return table(
    ['strategy', 'how several answers are merged'],
    Object.entries(strategies).map(([name, meaning]) => [code(name), meaning]),
  );
}

/** Describes the fields that every event has. If a field has no effect on this event, the description states this. */
function commonFields(schema, { may }) {
  const effectless = may.stop ? [] : ['`continue`', '`stopReason`'];
  return fieldsOf(schema).map((field) => (effectless.includes(field.name) ? { ...field, meaning: 'No effect on this event.' } : field));
}

function factTable(entry) {
  return table(['', ''], factRows(entry));
}

function factRows(entry) {
  return [
    ['fires', entry.when],
    ['a matcher is compared with', matcher(entry)],
    ['deny', withCode(entry.effects.deny)],
    ['ask', ask(entry)],
    ['stop', withCode(entry.effects.stop)],
    ['rewrites', rewrites(entry)],
    ['context', context(entry)],
    ['several hooks', strategies[entry.strategy]],
  ];
}

function matcher({ matcherField, input }) {
  if (matcherField === undefined) return 'nothing: a matcher on this event is ignored, with a warning';
  const { enum: values } = input.shape[matcherField].toJSONSchema();
  return values === undefined ? code(matcherField) : `${code(matcherField)}: ${values.map(code).join(', ')}`;
}

function context(entry) {
  const [meaning] = contextOf(entry)?.split('. ') ?? [];
  if (meaning !== undefined) return `\`additionalContext\`: ${meaning[0].toLowerCase()}${meaning.slice(1)}`;
  const otherWay = entry.may.inject ? 'possible as one more message' : 'not possible';
  return `${otherWay}. \`additionalContext\` is dropped, with a warning`;
}

function ask({ may }) {
  if (may.block === true) return 'the user is asked. If no user can be asked, the ask counts as a deny';
  return 'no effect: the user is not asked';
}

/** Returns the fields that a hook may print. The other fields are for adapters of other formats. */
function printable({ rewrites: all, specificOutput }) {
  return all.map(({ field }) => field).filter((field) => Object.hasOwn(specificOutput.shape, field));
}

function rewrites(entry) {
  const fields = printable(entry);
  const others = entry.rewrites.map(({ field }) => field).filter((field) => !fields.includes(field));
  const foreign =
    others.length === 0
      ? ''
      : `. ${others.map(code).join(', ')} is only for other formats and handlers: if a hook of LLxprt's format prints it, it is dropped`;
  return `${fields.length === 0 ? 'not possible' : `with ${fields.map(code).join(', ')}`}${foreign}`;
}

function contextOf({ specificOutput }) {
  return specificOutput.shape.additionalContext?.description;
}

function chaining(entry) {
  const fields = printable(entry);
  const sees = entry.rewrites.filter(({ field }) => fields.includes(field)).map(({ rule, path }) => chains[rule](path));
  const { block } = entry.may;
  // The same rule as `endsPlan` in packages/engine/src/aggregator/verdict.ts.
  const hasEffect = block === true || (block === 'feedback' && entry.rewrites.length === 0);
  const end = hasEffect
    ? 'After a deny or a stop, the remaining hooks do not run.'
    : 'After a deny or a stop, the remaining hooks still run, because a deny or a stop cannot prevent anything on this event.';
  if (sees.length === 0)
    return `Hooks in LLxprt Code's format cannot rewrite the input of this event. If a group that matches has \`"sequential": true\`, all hooks of the event run one after another. ${end}`;
  return `If a group that matches has \`"sequential": true\`, all hooks of the event run one after another. Each hook then receives ${sees.join('; ')}. ${end}\n\nWithout such a group, hooks run in parallel, and each receives the original data.${entry.redacts ? ' If parallel hooks write different values to one field, they are [run again](../hooks.md#redactions), one after another.' : ''}`;
}
