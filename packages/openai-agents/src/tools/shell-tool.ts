import { withFields } from '@tenterhook/agent/internal';
import type { RunContext, ShellAction, ShellResult, ShellTool } from '../agents-sdk.js';
import { clientOf } from '../options.js';
import { keyFields } from '../run-keys.js';
import { needsApproval } from './approval.js';
import type { Approval } from './find-approval.js';
import { finishCall, type GatedCall, type GatedOutcome, isIdleCall, runGatedCall, throwFailure } from './gated-call.js';
import { rewrittenInputSchema } from './json-schema.js';
import { LocalCalls } from './local-calls.js';
import type { ToolHost, ToolOwner } from './tool-host.js';

type Shell = NonNullable<ShellTool['shell']>;

const actionSchema = {
  type: 'object',
  required: ['commands'],
  properties: {
    commands: { type: 'array', items: { type: 'string' } },
    timeoutMs: { type: ['integer', 'null'] },
    maxOutputLength: { type: ['integer', 'null'] },
  },
};

/** Hooks a local shell. Hooks see it as the tool `shell`, with the action of the model as its input. */
export function hookShellTool(owner: ToolOwner, tool: ShellTool, shell: Shell): ShellTool {
  const { host, key } = owner;
  const calls = new LocalCalls(tool.name, owner, (action, callId) => ({ type: 'shell_call', callId, action }));
  const toCall = (action: ShellAction, callId: string | undefined): GatedCall => {
    const input = { ...action };
    return { name: 'shell', input, key, callId, schema: rewrittenInputSchema(actionSchema, input) };
  };
  return withFields(tool, {
    ...keyFields(owner, tool),
    needsApproval: (runContext: RunContext, action: ShellAction, callId?: string) => {
      calls.note(action, callId);
      return needsApproval(host.hooked, toCall(action, callId), () => tool.needsApproval(runContext, action, callId));
    },
    shell: {
      run(action: ShellAction): Promise<ShellResult> {
        const client = clientOf(host.hooked);
        const callId = calls.idOf(action);
        if (isIdleCall(client, { key, callId })) return shell.run(action);
        return runShell(host, toCall(action, callId), calls.approvalOf(action, callId), shell, action);
      },
    },
  });
}

async function runShell(
  host: ToolHost,
  call: GatedCall,
  approval: Approval | undefined,
  shell: Shell,
  action: ShellAction,
): Promise<ShellResult> {
  const client = clientOf(host.hooked);
  const before = JSON.stringify(action);
  const outcome = await runGatedCall(client, host.hooked, call, approval, async (input) => {
    const effective = JSON.stringify(input) === before ? action : (input as ShellAction);
    const value = await shell.run(effective);
    const { outcome: end } = value.output?.at(-1) ?? {};
    return { value, llmContent: value.output, exit_code: end?.type === 'exit' ? (end.exitCode ?? undefined) : undefined };
  });
  finishCall(host, call, outcome);
  throwFailure(outcome, undefined);
  return toResult(outcome);
}

function toResult({ finished, raw, texts }: GatedOutcome): ShellResult {
  if (raw === undefined) {
    const stderr = [finished.result.llmContent, ...texts.slice(finished.additions?.length)].join('\n\n');
    return { output: [{ stdout: '', stderr, outcome: { type: 'exit', exitCode: 2 } }] };
  }
  const result = raw.value as ShellResult;
  if (finished.replacement !== undefined) {
    // The data of the provider may repeat the output.
    const { providerData: _data, ...rest } = result;
    return withStdout({ ...rest, output: replaced(result, finished.replacement.value) }, texts);
  }
  return withStdout(result, texts);
}

function withStdout(result: ShellResult, texts: readonly string[]): ShellResult {
  if (texts.length === 0) return result;
  const { output } = result;
  const last = output.at(-1) ?? { stdout: '', stderr: '', outcome: { type: 'exit' as const, exitCode: 0 } };
  const stdout = [last.stdout, texts.join('\n')].filter((text) => text !== '').join('\n\n');
  return { ...result, output: [...output.slice(0, -1), { ...last, stdout }] };
}

/** Returns the output that a hook wrote. A text replaces the output of all commands, and the last exit code stays. */
function replaced({ output }: ShellResult, value: unknown): ShellResult['output'] {
  if (Array.isArray(value) && value.every(isOutput)) return value as ShellResult['output'];
  const outcome = output.at(-1)?.outcome ?? { type: 'exit' as const, exitCode: 0 };
  const stdout = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return [{ stdout, stderr: '', outcome }];
}

function isOutput(value: unknown): boolean {
  const { stdout, stderr, outcome } = (value ?? {}) as Record<string, unknown>;
  return typeof stdout === 'string' && typeof stderr === 'string' && typeof outcome === 'object' && outcome !== null;
}
