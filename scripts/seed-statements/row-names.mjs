/**
 * Names of rows that have no identifier of their own, in the order in which they stand, each with what it says in our words.
 * A row beyond the names is numbered; the check then names it as one that is not on the list.
 */
export const rowNames = {
  '000/aggregation/or-decision': {
    deny: 'one block or deny blocks the event',
    messages: 'texts of all hooks are joined',
    'suppress-output': 'one suppressOutput is enough',
    'default-allow': 'allow is the decision where nobody blocks',
  },
  '000/aggregation/field-replacement': {
    'last-wins': 'the later output replaces the earlier',
    'specific-output': 'hookSpecificOutput is merged field by field',
  },
  '000/aggregation/tool-selection': {
    union: 'allowed names of all hooks are united',
    none: 'one NONE wins',
    'any-before-auto': 'ANY wins over AUTO',
    sorted: 'names come sorted',
  },
  '001/7.3/or-decision': {
    deny: 'one block blocks the event',
    reasons: 'reasons joined by newline (decision 70: of those who decided)',
    'system-messages': 'system messages joined',
    'additional-context': 'additional contexts joined',
    'suppress-output': 'one suppressOutput is enough',
    stop: 'one continue: false stops',
  },
  '001/7.3/field-replacement': {
    'last-wins': 'per field the later output wins',
    'specific-output': 'hookSpecificOutput is merged shallowly',
  },
  '001/7.3/union': {
    names: 'allowed names are united',
    mode: 'NONE before ANY before AUTO',
    none: 'NONE leaves no tool',
    sorted: 'names come sorted',
  },
  '001/8.1/none-against-list': {
    'hook-a': 'one hook says NONE',
    'hook-b': 'the other says AUTO with a list',
    result: 'NONE, with an empty list',
  },
  '001/8.1/two-temperatures': {
    'hook-a': 'the first sets temperature 0',
    'hook-b': 'the second sets temperature 1',
    parallel: 'side by side the second counts',
    sequential: 'in a chain the second sees 0 and decides',
  },
  '001/8.1/allow-against-block': {
    'hook-a': 'one hook allows',
    'hook-b': 'the other blocks with a reason',
    result: 'blocked, with that reason',
  },
  '001/9': {
    'switched-off': 'hooks switched off: none fires',
    'none-configured': 'no hook for the event: none fires',
    'no-match': 'no matcher fits: none fires',
    'exit-0-json': 'exit 0 with JSON: obeyed',
    'exit-0-text': 'exit 0 with text: system message',
    'exit-0-empty': 'exit 0 without output: no change',
    'exit-2': 'exit 2: blocked, reason of stdout or stderr',
    'exit-other': 'any other code: warning, goes on',
    timeout: 'deadline passed: killed, warning, goes on',
    signal: 'ended by a signal: warning, goes on',
    'stderr-on-exit-0': 'stderr with exit 0 changes nothing',
    'invalid-json': 'broken JSON with exit 0: system message',
    infrastructure: 'our own failure: warning, goes on',
  },
  '002/glob': {
    star: '* stays inside a segment of a path',
    'two-stars': '** goes across segments',
    ending: '*.ext fits files at any depth',
  },
  '003/plain-text': {
    'exit-0': 'text with exit 0 is a system message (decision 5: and no decision)',
    'exit-1': 'text with exit 1 is a warning',
    'exit-2': 'text with exit 2 is the reason of a deny',
  },
  '004/hooks': {
    'shell-actions': 'a hook is shell actions that run before or after an event',
  },
  '004/execution-details': {
    order: 'hooks run in the order of their keys',
    'prompt-rewrites': 'a hook rewrites the prompt that the one before it made',
    'argument-updates': 'updates of arguments are merged, the last one counts',
    conflict: 'the first deny or exit 2 blocks, and nothing runs behind it',
    timeout: 'an action has 30 s, or its own timeout in milliseconds',
  },
  '004/input-output': {
    stdin: 'a hook reads the event as JSON on stdin',
    case: 'keys of the top level are snake_case, what is nested keeps its case',
    stdout: 'what a hook prints as JSON is obeyed',
    'plain-text': 'other text is additionalContext',
    'approval-deny': 'approval deny rejects a tool call',
    'exit-2': 'exit code 2 rejects a tool call',
  },
};

/** Lists by the words with which their heading, or the line above them, begins. */
export const listGroups = {
  '000': {
    'OR Decision Logic': '000/aggregation/or-decision',
    'Field Replacement': '000/aggregation/field-replacement',
    'Tool Selection': '000/aggregation/tool-selection',
  },
  '001': {
    '**For BeforeTool, AfterTool': '001/7.3/or-decision',
    '**For BeforeModel, AfterModel': '001/7.3/field-replacement',
    '**For BeforeToolSelection': '001/7.3/union',
    '**BeforeToolSelection conflict': '001/8.1/none-against-list',
    '**BeforeModel conflict': '001/8.1/two-temperatures',
    '**BeforeTool conflict': '001/8.1/allow-against-block',
  },
  '002': { 'Glob patterns support': '002/glob' },
};
