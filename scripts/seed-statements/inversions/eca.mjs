/** ECA's hooks: when they run and what they can change, their options, their order, and the examples of their page. */
const eca = 'packages/dialects/src/eca';
const types = `${eca}/event-types.ts`;
const select = `${eca}/select.ts`;
const file = `${eca}/action-file.ts`;
const action = `${eca}/read-action.ts`;
const parse = `${eca}/parse-hook.ts`;

const example = (name, block = 'config.json') => `004/examples/${name}/${block}`;
const examples = {
  notify: example('notify-after-prompt'),
  bell: example('ring-bell-sound-when-pending-tool-call-approval'),
  bellScript: example('ring-bell-sound-when-pending-tool-call-approval', 'my-hook.sh'),
  inject: example('inject-context-on-chat-start'),
  rewrite: example('rewrite-prompt'),
  block: example('block-tool-with-json-response'),
  modify: example('modify-tool-arguments'),
  script: example('use-external-script-file'),
};

/** Hooks of a type that run on another event. */
const moment = (type, own, other, ...ids) => ({
  file: types,
  search: `${type}: { eventName: '${own}',`,
  replace: `${type}: { eventName: '${other}',`,
  ids: [`004/hook-types/${type}/when`, ...ids],
});

/** Hooks of a type that can do what they cannot, or cannot do what they can. */
const power = (type, search, replace, ...ids) => ({ file: types, search, replace, ids: [`004/hook-types/${type}/can-modify`, ...ids] });

const ofTypes = [
  moment('sessionStart', 'HostStart', 'HostEnd'),
  moment('sessionEnd', 'HostEnd', 'HostStart'),
  moment('chatStart', 'SessionStart', 'HostStart', examples.inject),
  moment('chatEnd', 'SessionEnd', 'HostEnd'),
  moment('preRequest', 'BeforeAgent', 'AfterAgent', examples.rewrite),
  moment('postRequest', 'AfterAgent', 'BeforeAgent', examples.notify),
  moment('preToolCall', 'BeforeTool', 'AfterTool', examples.bell, examples.bellScript, examples.block, examples.modify, examples.script),
  moment('postToolCall', 'AfterTool', 'BeforeTool'),
  power('sessionStart', "'HostStart', inChat: false", "'HostStart', inChat: false, takesContext: true", '004/output/additionalContext'),
  power('sessionEnd', "'HostEnd', inChat: false", "'HostEnd', inChat: false, rejects: true"),
  power('chatStart', "'SessionStart', inChat: true, takesContext: true", "'SessionStart', inChat: true", examples.inject),
  power('chatEnd', "'SessionEnd', inChat: true", "'SessionEnd', inChat: true, takesContext: true"),
  power('preRequest', "'BeforeAgent', inChat: true, takesContext: true", "'BeforeAgent', inChat: true"),
  power('postRequest', "'AfterAgent', inChat: true", "'AfterAgent', inChat: true, rejects: true"),
  power('postToolCall', "'AfterTool', inChat: true, ofTool: true, takesContext: true", "'AfterTool', inChat: true, ofTool: true"),
];

const optionsOfHooks = [
  {
    file: action,
    search: "if (type !== undefined && type !== 'shell') {",
    replace: "if (type === 'shell') {",
    ids: ['004/hooks/shell-actions'],
  },
  {
    file: action,
    search: "command: { kind: 'shell', text: written }",
    replace: "command: { kind: 'program', file: written, args: [] }",
    ids: ['004/hooks/shell-actions'],
  },
  { file: `${eca}/matcher-field.ts`, search: 'wholeMatch: true', replace: 'wholeMatch: false', ids: ['004/hook-options/matcher'] },
  { file: `${eca}/matcher-field.ts`, search: 'if (ofTool !== true) {', replace: 'if (false) {', ids: ['004/hook-options/matcher'] },
  {
    file: `${eca}/tool.ts`,
    search: `[...new Set([\`\${server}__\${name}\`, \`\${server}__\${hostName}\`, ...others])]`,
    replace: '[name, hostName]',
    ids: ['004/hook-options/matcher', examples.block, examples.modify],
  },
  {
    file: select,
    search: 'const matched = candidates.find(matches);',
    replace: 'const [matched] = candidates;',
    ids: ['004/hook-options/matcher', examples.block, examples.modify],
  },
  {
    file: parse,
    search: "hidden: !booleanField(value, 'visible', true,",
    replace: "hidden: booleanField(value, 'visible', true,",
    ids: ['004/hook-options/visible', examples.notify, examples.bell],
  },
  {
    file: parse,
    search: "booleanField(value, 'visible', true,",
    replace: "booleanField(value, 'visible', false,",
    ids: ['004/hook-options/visible'],
  },
  {
    file: parse,
    search: "booleanField(value, 'runOnError', false,",
    replace: "booleanField(value, 'runOnError', true,",
    ids: ['004/hook-options/runOnError'],
  },
  {
    file: select,
    search: '|| runOnError || !hasFailed(',
    replace: '|| !hasFailed(',
    ids: ['004/hook-options/runOnError'],
  },
];

const execution = [
  { file: select, search: 'return one < other ? -1', replace: 'return one > other ? -1', ids: ['004/execution-details/order'] },
  {
    file: select,
    search: 'return one < other ? -1 : one > other ? 1 : 0;',
    replace: "return one.localeCompare(other, 'en', { numeric: true });",
    ids: ['004/execution-details/order'],
  },
  {
    file: select,
    search: 'return inOrder.map((hook) => ({ hooks: [hook] }));',
    replace: 'return [{ hooks: inOrder }];',
    ids: [
      '004/execution-details/order',
      '004/execution-details/prompt-rewrites',
      '004/execution-details/argument-updates',
      '004/execution-details/conflict',
      '004/output/continue',
    ],
  },
  {
    file: 'packages/engine/src/pipeline.ts',
    search: 'if (endsPlan(state.outcomes)) break;',
    replace: '',
    ids: ['004/execution-details/conflict', '004/output/continue'],
  },
  {
    file: 'packages/engine/src/aggregator/compose-rewrite.ts',
    search: '? { ...before, ...written(patch, before, shown) } : patch;',
    replace: '? { ...written(patch, before, shown), ...before } : patch;',
    ids: ['004/execution-details/argument-updates', '004/output/updatedInput', examples.modify],
  },
  {
    file: `${eca}/settings-schema.ts`,
    search: 'defaultTimeoutMs = 30_000',
    replace: 'defaultTimeoutMs = 60_000',
    ids: ['004/execution-details/timeout'],
  },
  { file: parse, search: 'read?.timeoutMs ?? defaultTimeoutMs', replace: '200', ids: ['004/execution-details/timeout'] },
];

const files = [
  {
    file: `${eca}/locations.ts`,
    search: "join(configFolder(context), 'eca/config.json')",
    replace: "join(configFolder(context), 'eca/settings.json')",
    ids: Object.values(examples),
  },
  {
    file,
    search: "if (written === '~' || written.startsWith('~/'))",
    replace: "if (written === '~')",
    ids: [examples.script],
  },
  {
    file,
    search: 'own: beside === undefined ? [] : [join(beside, written)],',
    replace: 'own: beside === written ? [beside] : [],',
    ids: [examples.bell, examples.bellScript],
  },
  {
    file,
    search: 'const isProgram = ',
    replace: "const isProgram = file !== '' || ",
    ids: [examples.bellScript, examples.script],
  },
];

export const inversionsOfEca = [...ofTypes, ...optionsOfHooks, ...execution, ...files];
