/** What hooks of ECA may say. */
const eca = 'packages/dialects/src/eca';
const decode = `${eca}/decode.ts`;
const fields = `${eca}/answer-fields.ts`;
const command = 'packages/dialects/src/output/decode-command.ts';
const block = 'packages/agent/src/context-block.ts';

const can = (...types) => types.map((type) => `004/hook-types/${type}/can-modify`);
const examples = {
  inject: '004/examples/inject-context-on-chat-start/config.json',
  rewrite: '004/examples/rewrite-prompt/config.json',
  block: '004/examples/block-tool-with-json-response/config.json',
  modify: '004/examples/modify-tool-arguments/config.json',
  script: '004/examples/use-external-script-file/config.json',
};

/** A field that is read and not handed on. */
const unread = (name, field, ...ids) => ({
  file: decode,
  search: `...(${name} === undefined ? {} : ${field}),`,
  replace: `...(${name} === undefined ? {} : {}),`,
  ids,
});

export const inversionsOfEcaOutputs = [
  {
    file: decode,
    search: '...(additionalContext === undefined || isDeny ? {} : { additionalContext }),',
    replace: '',
    ids: ['004/output/additionalContext', ...can('chatStart', 'preRequest', 'postToolCall'), examples.inject],
  },
  {
    file: block,
    search: `return \`<\${tag}>\\n\${shown}\\n</\${tag}>\`;`,
    replace: 'return shown;',
    ids: ['004/output/additionalContext'],
  },
  { file: block, search: ".replaceAll('<', '&lt;')", replace: '', ids: ['004/output/additionalContext'] },
  unread(
    'replacedPrompt',
    '{ replacedPrompt }',
    '004/output/replacedPrompt',
    '004/execution-details/prompt-rewrites',
    ...can('preRequest'),
    examples.rewrite,
  ),
  { file: fields, search: "return type === 'preRequest';", replace: 'return true;', ids: ['004/output/replacedPrompt'] },
  {
    file: fields,
    search: "return type === 'preToolCall';",
    replace: 'return true;',
    ids: ['004/output/updatedInput', '004/output/approval'],
  },
  {
    file: fields,
    search: "return type === 'preToolCall';",
    replace: 'return false;',
    ids: [
      '004/output/updatedInput',
      '004/output/approval',
      '004/execution-details/argument-updates',
      ...can('preToolCall'),
      examples.block,
      examples.modify,
    ],
  },
  {
    file: fields,
    search: 'return entryOf(type).takesContext === true;',
    replace: 'return true;',
    ids: ['004/output/additionalContext', ...can('sessionStart', 'sessionEnd', 'chatEnd', 'postRequest')],
  },
  {
    file: decode,
    search: '{ tool_input: toHostKeys(',
    replace: '{ updatedInput: toHostKeys(',
    ids: ['004/output/updatedInput', '004/execution-details/argument-updates', ...can('preToolCall'), examples.modify],
  },
  unread(
    'approval',
    '{ decision: approval }',
    '004/output/approval',
    '004/input-output/stdout',
    '004/input-output/approval-deny',
    '004/execution-details/conflict',
    ...can('preToolCall'),
    examples.block,
  ),
  {
    file: decode,
    search: '{ decision: approval }',
    replace: "{ decision: approval === 'ask' ? 'allow' : approval }",
    ids: ['004/output/approval', ...can('preToolCall')],
  },
  {
    file: decode,
    search: "const isDeny = rejects || verdictOf(approval) === 'deny';",
    replace: 'const isDeny = rejects;',
    ids: ['004/input-output/approval-deny', examples.block],
  },
  {
    file: decode,
    search: '{ continue: goesOn }',
    replace: '{ continue: true }',
    ids: ['004/output/continue', '004/output/stopReason', ...can('preRequest')],
  },
  { file: decode, search: '{ continue: goesOn }', replace: '{ continue: false }', ids: ['004/output/continue'] },
  unread('stopReason', '{ stopReason }', '004/output/stopReason', ...can('preRequest')),
  unread('suppressOutput', '{ suppressOutput }', '004/output/suppressOutput'),
  { file: decode, search: '{ suppressOutput })', replace: '{ suppressOutput: true })', ids: ['004/output/suppressOutput'] },
  {
    file: decode,
    search: '{ output: { hookSpecificOutput: { additionalContext: text } } };',
    replace: '{ output: { systemMessage: text } };',
    ids: ['004/input-output/plain-text'],
  },
  { file: decode, search: 'takesOtherJsonAsText: true,', replace: '', ids: ['004/input-output/plain-text'] },
  {
    file: command,
    search: 'return decodeSuccess(run);',
    replace: 'return decodeFailure(run);',
    ids: ['004/input-output/stdout', '004/input-output/plain-text'],
  },
  {
    file: command,
    search: '    default:\n      return decodeFailure(run);',
    replace: '    default:\n      return decodeSuccess(run);',
    ids: ['004/input-output/stdout'],
  },
  {
    file: command,
    search: 'return decodeBlock(run);',
    replace: 'return decodeFailure(run);',
    ids: ['004/input-output/exit-2', '004/execution-details/conflict', examples.script],
  },
  {
    file: decode,
    search: 'entryOf(dataOf(hook).type).rejects === true,',
    replace: 'entryOf(dataOf(hook).type).rejects !== true,',
    ids: [
      '004/input-output/exit-2',
      '004/execution-details/conflict',
      ...can('sessionStart', 'sessionEnd', 'chatEnd', 'postRequest'),
      examples.script,
    ],
  },
];
