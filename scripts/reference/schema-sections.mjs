import { fieldsOf, inputTable } from '../docs/fields.mjs';

/**
 * Returns the sections for types that are derived from a schema, a catalogue or a table of codes. TypeDoc shows how the type is derived;
 * users need the fields, or the page that lists them.
 */
export async function schemaSections() {
  const protocol = { ...(await import('@tenterhook/protocol')), ...(await import('@tenterhook/protocol/internal')) };
  const schemas = {
    HookToolConfig: protocol.toolConfigSchema,
    LLMMessage: protocol.llmMessageSchema,
    LLMRequest: protocol.llmRequestSchema,
    LLMResponse: protocol.llmResponseSchema,
    McpContext: protocol.mcpContextSchema,
    ResponseError: protocol.responseErrorSchema,
  };
  const sections = (name, section) => {
    const replacement = replace(section, schemas[name]);
    return replacement === undefined ? undefined : [commentOf(section), replacement].filter((part) => part !== '').join('\n\n');
  };
  const unions = {
    HookEventName: protocol.hookEventNames,
    HookCode: Object.keys(protocol.hookCodes),
    ErrorCode: Object.keys(protocol.errorCodes),
    DiagnosticCode: Object.keys(protocol.diagnosticCodes),
    SkipReason: Object.keys(protocol.skipReasons),
  };
  return { sections, nameUnions: (text) => nameUnions(text, unions) };
}

function replace(section, schema) {
  const event = /^> \*\*\w+Input\*\* = \[?`HookInputOf`[^"\n]*"(\w+)"/m.exec(section)?.[1];
  const channel = /^> \*\*\w+\*\* = \[?`PayloadOf`[^"\n]*"(HOOK_EXECUTION_\w+)"/m.exec(section)?.[1];
  if (schema !== undefined) return inputTable(fieldsOf(schema));
  if (event !== undefined) return `Its fields: [${event}](../events/${event}.md).`;
  if (channel !== undefined) return `Its fields: [${channel}](../bus.md#${channel.toLowerCase()}).`;
  if (/^> \*\*HookEventName\*\*: /m.test(section))
    return "An object with the name of each event: `HookEventName.BeforeTool` is `'BeforeTool'`.";
  if (section.includes('*typeof* `eventCatalogue`')) return 'The name of an event: [all events](../events/README.md).';
  if (/\*typeof\* `(?:\w+Codes|skipReasons)`/.test(section)) return 'The codes: [Errors, warnings, diagnostics](../errors.md).';
  return undefined;
}

/** Returns the comment in the section about a name, without the signature and the tables. */
function commentOf(section) {
  return section
    .split('\n\n')
    .slice(1)
    .filter((part) => !/^(?:>|#|\|)/.test(part.trim()))
    .join('\n\n')
    .trim();
}

/**
 * Replaces a list of string literals by the name of the union: the compiler forgets the name of a union that it has computed. The order of
 * the literals does not matter.
 */
function nameUnions(text, unions) {
  return text.replace(/`?"[\w-]+"`?(?: \\\| `?"[\w-]+"`?){5,}/g, (list) => {
    const words = [...list.matchAll(/"([\w-]+)"/g)].map(([, word]) => word);
    const name = Object.keys(unions).find(
      (each) => unions[each].length === words.length && unions[each].every((word) => words.includes(word)),
    );
    return name === undefined ? list : `[\`${name}\`](protocol.md#${name.toLowerCase()})`;
  });
}
