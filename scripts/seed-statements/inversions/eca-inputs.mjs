/** What hooks of ECA read on stdin. */
const encode = 'packages/dialects/src/eca/encode.ts';
const tool = 'packages/dialects/src/eca/tool.ts';

const bell = '004/examples/ring-bell-sound-when-pending-tool-call-approval';

const told = (search, replace, ...ids) => ({ file: encode, search, replace, ids });
const toAll = (name, search, replace) => told(search, replace, `004/input/all-hooks/${name}`);
const inChats = (name, search, replace) => told(search, replace, `004/input/chat-hooks/${name}`);
const ofTools = (name, search, replace, ...more) => told(search, replace, `004/input/tool-hooks/${name}`, ...more);

const chatFields = ['chat_id', 'agent', 'behavior'].map((name) => `004/input/chat-hooks/${name}`);
const inputOfTool = 'tool_input: toEcaKeys(input, host)';

export const inversionsOfEcaInputs = [
  told('env: environment, stdin };', "env: environment, stdin: '' };", '004/input-output/stdin'),
  told('env: environment, stdin };', `env: environment, stdin: \`\${stdin}\\n\${stdin}\` };`, '004/input-output/stdin'),
  told('...fieldsOf(type, event.input, host),', '', '004/input-output/stdin'),
  told('tool_name: tool?.name,', 'toolName: tool?.name,', '004/input-output/case', '004/input/tool-hooks/tool_name'),
  told(
    inputOfTool,
    `tool_input: JSON.parse(JSON.stringify(${inputOfTool.slice('tool_input: '.length)}).toLowerCase())`,
    '004/input-output/case',
    '004/input/tool-hooks/tool_input',
  ),
  toAll('hook_name', 'hook_name: hook.name,', 'hook_name: hook.id,'),
  toAll('hook_name', 'hook_name: hook.name,', 'hook_name: dataOf(hook).key,'),
  toAll('hook_type', 'hook_type: type,', 'hook_type: event.eventName,'),
  toAll('workspaces', '    workspaces,\n', '    workspaces: workspaces.slice(0, 1),\n'),
  toAll('workspaces', '    workspaces,\n', '    workspaces: host.workspaces ?? [],\n'),
  toAll('db_cache_path', 'db_cache_path: host.dbCachePath,', "db_cache_path: '',"),
  toAll('db_cache_path', 'db_cache_path: host.dbCachePath,', 'db_cache_path: host.dbCachePath || event.projectDir,'),
  told('(entryOf(type).inChat ? chatFields', '(entryOf(type).ofTool ? chatFields', ...chatFields),
  told('(entryOf(type).inChat ? chatFields', '(entryOf(type).eventName ? chatFields', ...chatFields),
  inChats('chat_id', "chat_id: input['session_id']", "session_id: input['session_id']"),
  inChats('agent', ', agent, behavior: agent', ', behavior: agent'),
  inChats('behavior', ', agent, behavior: agent', ', agent'),
  told("resumed: input['source'] === 'resume'", "resumed: input['source'] !== 'resume'", '004/input/chatStart/resumed'),
  told("resumed: input['source'] === 'resume'", "resumed: input['source']", '004/input/chatStart/resumed'),
  ofTools('tool_name', 'tool_name: tool?.name,', "tool_name: input['tool_name'],"),
  ofTools('server', 'server: tool?.server,', 'server: host.server,'),
  { file: tool, search: 'const server = isHosts ? own : named;', replace: 'const server = own;', ids: ['004/input/tool-hooks/server'] },
  { file: tool, search: 'tool_name: name, mcp_context', replace: 'tool: name, mcp_context', ids: ['004/input/tool-hooks/tool_name'] },
  ofTools('tool_input', inputOfTool, 'arguments: {}'),
  ofTools('approval', "input['approval'] ?? 'ask'", "input['approval'] ?? 'allow'"),
  ofTools('approval', "input['approval'] ?? 'ask'", "'deny'", `${bell}/my-hook.sh`, `${bell}/config.json`),
  ofTools('tool_response', "tool_response: input['tool_response'],", ''),
  ofTools('error', "error: hasFailed(input['tool_response'])", "error: !hasFailed(input['tool_response'])"),
  ofTools('error', "error: hasFailed(input['tool_response'])", 'error: false'),
];
