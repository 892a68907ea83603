import { eventEntry, type HookEvent, type HookEventName } from '@tenterhook/protocol';
import { sampleEvent, sampleFields } from './sample-inputs.js';
import { hasMatcher } from './sample-settings.js';

/** What programs put between the name of a server and that of a tool, or between the parts of a key. */
const separators = ['__', '|', '/', ':', '.', '-', ',', ' ', '%', '"', '\\', '\n', '\0', '\u2028'];

const tools = [
  'write_file',
  'read_file',
  'search',
  'run_shell_command',
  'mcp__a__b',
  'eca__write_file',
  'a',
  'b',
  'c',
  '',
  'WRITE_FILE',
  'naïve🦀',
];

/** Events that differ in all that a selection may look at: tool, server, what the tool is given and gave back. */
export function eventsToMatch(eventName: HookEventName): HookEvent[] {
  const fields = sampleFields(eventName);
  const variants = [fields, ...variantsOf(eventName, fields)];
  if (!hasMatcher(eventName)) return variants.map((each) => sampleEvent(eventName, each));
  const parts = separators.flatMap((separator) => [`a${separator}b`, `b${separator}c`]);
  const names = [...tools, ...parts];
  const servers = [undefined, '', 'eca', 'a', 'b', 'a__', ...separators.map((separator) => `a${separator}b`)];
  return names.flatMap((tool_name) =>
    servers.flatMap((server) => {
      const mcp = server === undefined ? {} : { mcp_context: { server_name: server } };
      return variants.map((each) => sampleEvent(eventName, { ...each, tool_name, ...mcp }));
    }),
  );
}

function variantsOf(eventName: HookEventName, fields: Record<string, unknown>): Record<string, unknown>[] {
  switch (eventName) {
    case 'BeforeTool':
      return [
        { ...fields, tool_input: {} },
        { ...fields, tool_input: { command: 'rm -rf /' }, approval: 'deny' },
      ];
    case 'AfterTool':
      return [
        { ...fields, tool_response: { llmContent: '', error: { message: 'no such file' } } },
        { ...fields, tool_response: {}, tool_input: { command: 'rm -rf /' } },
      ];
    case 'SessionStart':
      return ['resume', 'clear', 'compress'].map((source) => ({ ...fields, source }));
    case 'SessionEnd':
      return ['clear', 'logout', 'prompt_input_exit', 'other'].map((reason) => ({ ...fields, reason }));
    case 'PreCompress':
    case 'PostCompress':
      return [{ ...fields, trigger: 'auto' }];
    default: {
      const { matcherField } = eventEntry(eventName);
      return [sampleFields(eventName, 'another text'), ...(matcherField === undefined ? [] : [{ ...fields, [matcherField]: 'b' }])];
    }
  }
}
