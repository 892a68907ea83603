import { rowNames } from './row-names.mjs';

/** What a statement says, in our words: from its name where the name says it all. */
export function labelOf(id) {
  const [seed, ...path] = id.split('/');
  const name = path.at(-1);
  const group = id.slice(0, -name.length - 1);
  const said = labels[id] ?? rowNames[group]?.[name];
  if (said !== undefined) return said;
  if (/^3\.\d$/.test(path[0])) return path[1] === 'input' ? `${events[path[0]]} tells its hooks ${name}` : undefined;
  if (path[0] === '8') return `whether ${path[1]} ${name.replaceAll('-', ' ')}`;
  if (path[0] === '4.2') return `common output field ${name}`;
  if (/^5\.\d$/.test(path[0])) return `${formats[path[0]]} has ${path.slice(1).join('.')}`;
  if (path[0] === '6.2') return `settings field ${name}`;
  if (path[0] === '7.6' || path[0] === 'environment') return `${name} in the environment of a hook`;
  if (seed === '004') return labelOfHooksPage(path);
  if (path[0] === 'HookEventName') return `event ${name}`;
  if (path[0] === 'HookDecision') return `decision word ${name}`;
  if (name?.startsWith('is-a-')) return `${path[0]} has everything of ${name.slice(5)}`;
  return /^[A-Z]/.test(path[0] ?? '') ? `${path[0]} has ${path.slice(1).join('.')} (seed ${seed})` : undefined;
}

function labelOfHooksPage([kind, group, name]) {
  if (kind === 'hook-types') return name === 'when' ? `when hooks of ${group} run` : `what hooks of ${group} can change`;
  if (kind === 'input') return `${name} on the stdin of ${group.replace('-', ' ')}`;
  if (kind === 'output') return `output field ${group} of ECA`;
  return kind === 'examples' ? `example: ${group.replaceAll('-', ' ')}, ${name}` : undefined;
}

const events = { 3.1: 'BeforeTool', 3.2: 'AfterTool', 3.3: 'BeforeModel', 3.4: 'AfterModel', 3.5: 'BeforeToolSelection' };
const formats = { 5.1: 'a model request', 5.2: 'a model response', 5.3: 'a tool config' };

const labels = {
  '000/exit-codes/0': 'EXIT_CODE_SUCCESS: the hook did its work',
  '000/exit-codes/1': 'EXIT_CODE_NON_BLOCKING_ERROR: a warning, goes on',
  '000/exit-codes/2': 'EXIT_CODE_BLOCKING_ERROR: denied',
  '000/environment/LLXPRT_PROJECT_DIR': 'LLXPRT_PROJECT_DIR (decision 30: the project directory)',
  '000/channels/HOOK_EXECUTION_REQUEST': 'requests come in on HOOK_EXECUTION_REQUEST',
  '000/channels/HOOK_EXECUTION_RESPONSE': 'answers go out on HOOK_EXECUTION_RESPONSE',
  '001/3.1/action/block-execution': 'a block keeps the tool from running, and the model reads why',
  '001/3.1/action/allow-execution': 'an allow, or silence, lets the tool run',
  '001/3.1/action/modify-tool-input': 'the tool runs with the input a hook returned',
  '001/3.1/action/stop-the-agent': 'continue: false ends the loop, the user reads why',
  '001/3.2/action/inject-context': 'additionalContext goes behind what the model reads of the result',
  '001/3.2/action/stop-the-agent': 'continue: false ends the loop, the user reads why',
  '001/3.2/action/suppress-output': 'the result is hidden from the user alone',
  '001/3.2/action/add-system-message': 'systemMessage goes into the conversation',
  '001/3.3/action/block-with-synthetic-response': 'a block with a response: that response, no call',
  '001/3.3/action/block-without-response': 'a block without one: an empty response, no call',
  '001/3.3/action/modify-the-request': 'the model gets the request a hook returned',
  '001/3.3/action/inject-context': 'added messages reach the model',
  '001/3.3/action/stop-the-agent': 'continue: false ends the loop',
  '001/3.4/action/modify-the-response': 'the changed response is what goes on',
  '001/3.4/action/replace-the-response': 'a new response takes the place of the old',
  '001/3.4/action/stop-the-agent': 'continue: false ends the loop with a response that says why',
  '001/3.4/action/suppress-output': 'the response is hidden from the user',
  '001/3.5/action/restrict-available-tools': 'the model is offered the named tools only',
  '001/3.5/action/change-tool-calling-mode': 'AUTO may, ANY must, NONE may not call',
  '001/3.5/action/disable-all-tools': 'NONE: no tool can be called',
  '001/3.5/action/stop-the-agent': 'continue: false ends the loop',
  '001/4.3/exit-0': 'stdout is read and obeyed',
  '001/4.3/exit-2': 'blocked; stderr is the reason where stdout has none',
  '001/4.3/exit-any-other': 'failed: a warning, goes on',
  '001/8/AfterTool/footnote': 'what AfterTool may do to how a result is shown',
  '001/8/BeforeToolSelection/note': 'BeforeToolSelection changes which tools may be called',
  '002/event-types/PreToolUse': 'PreToolUse: before a tool runs',
  '002/event-types/PostToolUse': 'PostToolUse: after a tool has run',
  '002/event-types/GenerateStart': 'GenerateStart: before the model is asked',
  '002/event-types/GenerateEnd': 'GenerateEnd: after the model has answered',
  '002/event-types/SessionStart': 'SessionStart: when a session begins',
  '002/event-types/SessionEnd': 'SessionEnd: when a session ends',
  '002/hook-actions/action/Continue': 'Continue goes on, with what was modified',
  '002/hook-actions/action/Block': 'Block ends it, with a reason',
  '002/hook-actions/action/Retry': 'Retry asks for another try after a delay',
  '002/hook-actions/action/Skip': 'Skip leaves the remaining handlers out, and the operation goes on',
  '003/components/HookSystem': 'owns the parts, is where one begins',
  '003/components/HookRegistry': 'knows the hooks, by event',
  '003/components/HookPlanner': 'matches, removes duplicates, orders',
  '003/components/HookRunner': 'process, stdin, stdout and stderr',
  '003/components/HookAggregator': 'one answer, by the strategy of the event',
  '003/aggregation/BeforeTool-AfterTool': 'OR logic on tool events',
  '003/aggregation/BeforeModel-AfterModel': 'last write on model events',
  '003/aggregation/BeforeToolSelection': 'union of names, NONE wins',
  '003/exit-codes/0': 'output is processed',
  '003/exit-codes/1': 'a warning, goes on',
  '003/exit-codes/2': 'blocked',
  '003/environment/LLXPRT_PROJECT_DIR': 'LLXPRT_PROJECT_DIR (decision 30: the project directory)',
  '003/environment/parent': 'the variables of the parent process are there too',
  '004/hook-options/matcher': 'a regular expression for server__tool, for tool calls alone',
  '004/hook-options/visible': 'whether the chat shows the runs of a hook, which it does by default',
  '004/hook-options/runOnError': 'whether a postToolCall hook runs after a tool that failed, which it does not by default',
  '001/6.2/hooks': 'settings field hooks of a group',
  '001/6.2/hooks.type': 'settings field type (decision 26: command alone)',
};
