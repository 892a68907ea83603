/** What the agent's side makes of an answer. */
const agent = 'packages/agent/src';
const before = `${agent}/seek-permission.ts`;
const tool = `${agent}/execute-tool-with-hooks.ts`;
const model = `${agent}/call-model-with-hooks.ts`;
const progress = `${agent}/model-request.ts`;
const messages = `${agent}/messages.ts`;
const catalogue = 'packages/protocol/src/event-catalogue.ts';

export const inversionsOfEffects = [
  {
    file: before,
    search: "if (kind === 'deny') {",
    replace: "if (kind === 'none') {",
    ids: [
      '001/3.1/action/block-execution',
      '001/3.1/action/allow-execution',
      '001/3.3/action/block-without-response',
      '001/8/BeforeTool/can-block',
      '001/8/BeforeModel/can-block',
    ],
  },
  {
    file: before,
    search: "if (stop) return { kind: 'stopped', before };",
    replace: '',
    ids: [
      '001/3.1/action/stop-the-agent',
      '001/3.3/action/stop-the-agent',
      '001/8/BeforeTool/can-stop-agent',
      '001/8/BeforeModel/can-stop-agent',
    ],
  },
  {
    file: tool,
    search: 'if (after?.verdict.stop) return',
    replace: 'if (!after) return',
    ids: ['001/3.2/action/stop-the-agent', '001/8/AfterTool/can-stop-agent'],
  },
  {
    file: tool,
    search: '...contextOf([before, after])',
    replace: '...contextOf([])',
    ids: ['001/3.2/action/inject-context', '001/8/AfterTool/can-inject-context', '001/8/BeforeTool/can-inject-context'],
  },
  {
    file: tool,
    search: "return { ...ended, status: 'executed', ...given({ reason: feedback }) };",
    replace: "return { ...ended, status: feedback === undefined ? 'executed' : 'blocked', ...given({ reason: feedback }) };",
    ids: ['001/8/AfterTool/can-block'],
  },
  {
    file: tool,
    search: 'const effective = rewritten ?? input;',
    replace: 'const effective = input;',
    ids: ['001/3.1/action/modify-tool-input', '001/8/BeforeTool/can-modify-input'],
  },
  {
    file: messages,
    search: 'result.finalOutput?.suppressOutput === true',
    replace: 'result.finalOutput?.suppressOutput !== true',
    ids: ['001/3.2/action/suppress-output', '001/3.4/action/suppress-output', '001/8/AfterTool/footnote'],
  },
  {
    file: messages,
    search: 'textOf(result.finalOutput?.systemMessage)',
    replace: 'textOf(result.finalOutput?.reason)',
    ids: ['001/3.2/action/add-system-message', '001/8/AfterTool/footnote'],
  },
  {
    file: model,
    search: 'answer === undefined ? {} :',
    replace: 'answer !== undefined ? {} :',
    ids: ['001/3.3/action/block-with-synthetic-response', '001/8/BeforeModel/can-block'],
  },
  {
    file: model,
    search: 'if (after.verdict.stop) {',
    replace: 'if (!after.verdict.stop) {',
    ids: ['001/3.4/action/stop-the-agent', '001/8/AfterModel/can-stop-agent'],
  },
  {
    file: model,
    search: 'if (after.verdict.stop) {',
    replace: "if (after.verdict.kind === 'deny') {",
    ids: ['001/8/AfterModel/can-block'],
  },
  {
    file: model,
    search: 'if (selected.selection?.verdict.stop)',
    replace: "if (selected.selection?.verdict.kind === 'deny')",
    ids: ['001/8/BeforeToolSelection/can-block'],
  },
  {
    file: model,
    search: 'response: changed === undefined ? response :',
    replace: 'response: changed !== undefined ? response :',
    ids: ['001/3.4/action/modify-the-response', '001/3.4/action/replace-the-response', '001/8/AfterModel/can-modify-output'],
  },
  {
    file: model,
    search: 'if (selected.selection?.verdict.stop)',
    replace: 'if (!selected)',
    ids: ['001/3.5/action/stop-the-agent', '001/8/BeforeToolSelection/can-stop-agent'],
  },
  {
    file: progress,
    search: 'return { request: translator.withToolConfig(request, configOf(toolSelection)), toolSelection, selection };',
    replace: 'return { request, selection };',
    ids: [
      '001/3.5/action/restrict-available-tools',
      '001/3.5/action/change-tool-calling-mode',
      '001/3.5/action/disable-all-tools',
      '001/8/BeforeToolSelection/note',
    ],
  },
  {
    file: catalogue,
    search: "rewrites: [rewrite('tool_response', 'updatedToolOutput', 'tool-output')],",
    replace:
      "rewrites: [rewrite('tool_response', 'updatedToolOutput', 'tool-output'), rewrite('tool_response', 'tool_response', 'merge', ['tool_response'], 'updatedToolOutput')],",
    ids: ['001/8/AfterTool/can-modify-output'],
  },
  {
    file: 'packages/dialects/src/output/known-fields.ts',
    search: '} else if (table.specificOfAll.has(field)) {',
    replace: '} else if (!table.specificOfAll.has(field)) {',
    ids: ['001/8/AfterModel/can-modify-input'],
  },
  {
    file: 'packages/dialects/src/output/decode-command.ts',
    search: 'return decodeFailure(run);',
    replace: 'return decodeSuccess(run);',
    ids: ['001/8/BeforeModel/can-modify-output'],
  },
];
