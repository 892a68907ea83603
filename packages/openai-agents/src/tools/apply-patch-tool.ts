import { fieldsOf, withFields } from '@tenterhook/agent/internal';
import type { ApplyPatchOperation, ApplyPatchResult, ApplyPatchTool, RunContext } from '../agents-sdk.js';
import { clientOf } from '../options.js';
import { needsApproval } from './approval.js';
import type { Approval } from './find-approval.js';
import { finishCall, type GatedCall, type GatedOutcome, isIdleCall, runGatedCall, throwFailure } from './gated-call.js';
import { rewrittenInputSchema } from './json-schema.js';
import { LocalCalls } from './local-calls.js';
import type { ToolHost, ToolOwner } from './tool-host.js';

type Editor = ApplyPatchTool['editor'];
type EditorContext = Parameters<Editor['createFile']>[1];
type Edit = ReturnType<Editor['createFile']>;

const methods = { create_file: 'createFile', update_file: 'updateFile', delete_file: 'deleteFile' } as const;

const operationSchema = {
  type: 'object',
  required: ['type', 'path'],
  properties: {
    type: { enum: Object.keys(methods) },
    path: { type: 'string' },
    diff: { type: 'string' },
    moveTo: { type: 'string' },
  },
};

/** Hooks an editor. Hooks see it as the tool `apply_patch`, with the operation of the model as its input. */
export function hookApplyPatchTool(owner: ToolOwner, tool: ApplyPatchTool): ApplyPatchTool {
  const { host, key } = owner;
  const calls = new LocalCalls(tool.name, owner, (operation, callId) => ({ type: 'apply_patch_call', callId, operation }));
  const toCall = (operation: ApplyPatchOperation, callId: string | undefined): GatedCall => {
    const input = { ...operation };
    return { name: 'apply_patch', input, key, callId, schema: rewrittenInputSchema(operationSchema, input) };
  };
  const edit = (operation: ApplyPatchOperation, context: EditorContext): Edit => {
    const client = clientOf(host.hooked);
    const callId = calls.idOf(operation);
    if (isIdleCall(client, { key, callId })) return apply(tool.editor, operation, context);
    return editWithHooks(host, toCall(operation, callId), calls.approvalOf(operation, callId), tool.editor, { operation, context });
  };
  return withFields(tool, {
    needsApproval: (runContext: RunContext, operation: ApplyPatchOperation, callId?: string) => {
      calls.note(operation, callId);
      return needsApproval(host.hooked, toCall(operation, callId), () => tool.needsApproval(runContext, operation, callId));
    },
    editor: { createFile: edit, updateFile: edit, deleteFile: edit } satisfies Editor,
  });
}

async function editWithHooks(
  host: ToolHost,
  call: GatedCall,
  approval: Approval | undefined,
  editor: Editor,
  { operation, context }: { readonly operation: ApplyPatchOperation; readonly context: EditorContext },
): Promise<ApplyPatchResult | undefined> {
  const client = clientOf(host.hooked);
  const before = JSON.stringify(operation);
  const outcome = await runGatedCall(client, host.hooked, call, approval, async (input) => {
    const effective = JSON.stringify(input) === before ? operation : (input as ApplyPatchOperation);
    const value = await apply(editor, effective, context);
    return { value, llmContent: fieldsOf(value)['output'] ?? '' };
  });
  finishCall(host, call, outcome);
  throwFailure(outcome, undefined);
  return toResult(outcome);
}

function toResult({ finished, raw, texts }: GatedOutcome): ApplyPatchResult | undefined {
  if (raw === undefined) {
    return { status: 'failed', output: [finished.result.llmContent, ...texts.slice(finished.additions?.length)].join('\n\n') };
  }
  const result = raw.value as ApplyPatchResult | undefined;
  const { replacement } = finished;
  if (replacement === undefined && texts.length === 0) return result;
  const output = replacement === undefined ? (result?.output ?? '') : String(replacement.value ?? '');
  return { ...result, output: [output, texts.join('\n')].filter((text) => text !== '').join('\n\n') };
}

function apply(editor: Editor, operation: ApplyPatchOperation, context: EditorContext): Edit {
  return editor[methods[operation.type]](operation as never, context);
}
