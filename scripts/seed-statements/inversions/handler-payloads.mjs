/** What handlers read. Turned round where a payload is handed to a handler, whoever fired the event. */
const call = 'packages/handlers/src/calling/call-handler.ts';

/** `changed` is code: the fields that are given in the place of those of `payload`. */
const givenWith = (changed, ...ids) => ({
  file: call,
  search: 'payload: copyPlain(payload)',
  replace: `payload: { ...copyPlain(payload), ${changed} }`,
  ids,
});

/** A payload with a field that says something else. */
const field = (name, value, ...events) => givenWith(`${name}: ${value}`, ...events.map((event) => `002/${event}Event/${name}`));

/** The same, of a field that is an object. */
const within = (event, name, field, value) =>
  givenWith(`${name}: { ...payload.${name}, ${field}: ${value} }`, `002/${event}Event/${name}/${field}`);

export const inversionsOfHandlerPayloads = [
  field('session_id', "''", 'PreToolUse', 'PostToolUse', 'GenerateStart', 'GenerateEnd', 'SessionStart', 'SessionEnd'),
  field('tool', "''", 'PreToolUse', 'PostToolUse'),
  field('args', '{}', 'PreToolUse', 'PostToolUse'),
  field('working_directory', "''", 'PreToolUse'),
  field('recent_tools', 'payload.recent_tools?.toReversed()', 'PreToolUse'),
  field('result', '{ ...payload.result, tool: payload.tool }', 'PostToolUse'),
  within('PostToolUse', 'result', 'success', 'true'),
  within('PostToolUse', 'result', 'success', 'false'),
  within('PostToolUse', 'result', 'output', "''"),
  within('PostToolUse', 'result', 'exit_code', 'payload.result?.exit_code ?? 0'),
  within('PostToolUse', 'result', 'exit_code', '0'),
  within('PostToolUse', 'result', 'duration_ms', '0'),
  field('prompt', "''", 'GenerateStart', 'GenerateEnd'),
  field('system_prompt', "payload.system_prompt ?? ''", 'GenerateStart', 'SessionStart'),
  field('system_prompt', 'payload.prompt', 'GenerateStart', 'SessionStart'),
  field('model_provider', "''", 'GenerateStart', 'SessionStart'),
  field('model_name', 'payload.model_provider', 'GenerateStart', 'SessionStart'),
  field('available_tools', '[]', 'GenerateStart'),
  field('response_text', 'payload.prompt', 'GenerateEnd'),
  field('tool_calls', '[]', 'GenerateEnd'),
  field('usage', '{ ...payload.usage, cached_tokens: 0 }', 'GenerateEnd'),
  within('GenerateEnd', 'usage', 'prompt_tokens', 'payload.usage?.total_tokens'),
  within('GenerateEnd', 'usage', 'completion_tokens', 'payload.usage?.prompt_tokens'),
  within('GenerateEnd', 'usage', 'total_tokens', 'payload.usage?.completion_tokens'),
  field('duration_ms', '0', 'GenerateEnd', 'SessionEnd'),
  field('total_tokens', '0', 'SessionEnd'),
  field('total_tool_calls', 'payload.total_tokens', 'SessionEnd'),
];
