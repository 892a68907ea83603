/** How handlers are called, and what comes of their answers. */
const answers = 'packages/handlers/src/calling/read-answer.ts';
const attempts = 'packages/handlers/src/calling/run-attempts.ts';
const deadline = 'packages/handlers/src/calling/call-with-deadline.ts';
const dispatch = 'packages/handlers/src/dispatch/dispatch-event.ts';
const applied = 'packages/handlers/src/dispatch/apply-modified.ts';
const hook = 'packages/handlers/src/definition/hook.ts';

/** Another value where a hook says none. */
const byDefault = (field, value, other) => ({
  file: hook,
  search: `  ${field}: ${value},`,
  replace: `  ${field}: ${other},`,
  ids: [`002/HookConfig/${field}`],
});

const calling = [
  byDefault('priority', '100', '0'),
  byDefault('timeout_ms', '30_000', '60_000'),
  byDefault('async_execution', 'false', 'true'),
  byDefault('max_retries', '0', '1'),
  {
    file: deadline,
    search: 'timer.start(timeoutMs, onDeadline);',
    replace: 'timer.start(1, onDeadline);',
    ids: ['002/HookConfig/timeout_ms'],
  },
  { file: deadline, search: 'timer.start(timeoutMs, onDeadline);', replace: '', ids: ['002/HookConfig/timeout_ms'] },
  {
    file: dispatch,
    search: 'if (hook.config.async_execution) {',
    replace: 'if (!hook.config.async_execution) {',
    ids: ['002/HookConfig/async_execution'],
  },
  { file: dispatch, search: 'if (hook.config.async_execution) {', replace: 'if (hook) {', ids: ['002/HookConfig/async_execution'] },
  { file: dispatch, search: 'void runDetached(', replace: 'await runDetached(', ids: ['002/HookConfig/async_execution'] },
  { file: attempts, search: 'let left = max_retries - 1;', replace: 'let left = max_retries;', ids: ['002/HookConfig/max_retries'] },
  {
    file: attempts,
    search: 'readEnd(end, registered, registered.hook.config.max_retries)',
    replace: 'readEnd(end, registered, 1)',
    ids: ['002/HookConfig/max_retries'],
  },
  {
    file: attempts,
    search: "if (read.answer.kind === 'retry' && retriesLeft > 0)",
    replace: 'if (!read)',
    ids: ['002/HookConfig/max_retries'],
  },
];

const answering = [
  { file: answers, search: "case 'block':", replace: "case 'deny':", ids: ['002/HookResponse/action', '002/hook-actions/action/Block'] },
  {
    file: answers,
    search: "reason: isText ? reason : 'Blocked'",
    replace: "reason: isText ? 'Blocked' : ''",
    ids: ['002/HookResponse/reason', '002/hook-actions/action/Block'],
  },
  {
    file: answers,
    search: 'modified === undefined || modified === null ? goOn',
    replace: 'modified !== undefined ? goOn',
    ids: ['002/HookResponse/modified', '002/hook-actions/action/Continue'],
  },
  {
    file: answers,
    search: "value['retry_delay_ms'] ?? value['delayMs']",
    replace: "value['delayMs']",
    ids: ['002/HookResponse/retry_delay_ms', '002/hook-actions/action/Retry'],
  },
  {
    file: answers,
    search: "{ answer: { kind: 'skip' }, warnings: unused(value) }",
    replace: "{ answer: { kind: 'continue' }, warnings: unused(value) }",
    ids: ['002/hook-actions/action/Skip'],
  },
  { file: dispatch, search: "if (answer.kind === 'skip') break;", replace: '', ids: ['002/hook-actions/action/Skip'] },
  {
    file: dispatch,
    search: "if (answer.kind === 'block') return { action: 'Block', reason: answer.reason, warnings };",
    replace: '',
    ids: ['002/hook-actions/action/Block', '002/HookResponse/action'],
  },
  {
    file: dispatch,
    search: "if (answer.kind === 'retry') return { action: 'Retry', retry_delay_ms: answer.delayMs, warnings };",
    replace: "if (answer.kind === 'retry') break;",
    ids: ['002/hook-actions/action/Retry', '002/HookResponse/retry_delay_ms'],
  },
  {
    file: dispatch,
    search: ": { action: 'Continue', modified, warnings };",
    replace: ": { action: 'Continue', warnings };",
    ids: ['002/hook-actions/action/Continue', '002/HookResponse/modified'],
  },
  {
    file: applied,
    search: 'payload: { ...payload, args: modified }',
    replace: 'payload',
    ids: ['002/hook-actions/action/Continue'],
  },
];

export const inversionsOfHandlerCalls = [...calling, ...answering];
