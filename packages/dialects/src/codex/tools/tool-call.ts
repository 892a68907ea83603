import { oncePerInput } from '../../shared/per-input.js';
import { ownCallOf, toToolCall } from '../../shared/tools/tool-call.js';
import type { CodexHost } from '../options.js';
import { type FileChange, readPatch, withEndOf, writePatch } from './patch.js';

type Fields = Readonly<Record<string, unknown>>;

/** The name of the tool with which Codex writes and changes files, and the key of its patch. */
export const patchTool = 'apply_patch';
const patchKey = 'command';

/** The keys of a change that the text of the patch replaces. */
const changeKeys = ['file_path', 'content', 'old_string', 'new_string'];

/** Returns the tool call of an event, or undefined if the event has no tool. Hooks with the same input share one result. */
export const callOfInput = oncePerInput((input, { tools }: CodexHost) =>
  toToolCall(input, input['cwd'], tools, (translated, _hostName, name) => (name === patchTool ? withPatch(translated) : translated)),
);

/** Replaces the arguments of a change by the text of a patch. Arguments that are not part of the change stay. */
function withPatch(input: Fields): Fields {
  const change = changeIn(input);
  if (change === undefined) return input;
  const others = Object.entries(input).filter(([key]) => !changeKeys.includes(key));
  return { [patchKey]: writePatch(change), ...Object.fromEntries(others) };
}

/** Returns the change that arguments under Codex's keys describe, or undefined if they are something else, e.g. a patch. */
function changeIn({ file_path: file, content, old_string: oldText, new_string: newText }: Fields): FileChange | undefined {
  if (typeof file !== 'string') return undefined;
  if (typeof content === 'string') return { kind: 'write', file, content };
  return typeof oldText === 'string' && typeof newText === 'string' ? { kind: 'edit', file, oldText, newText } : undefined;
}

/** The arguments of the host for what a hook returned, or why they cannot be made. */
export type HostInput =
  | { readonly ok: true; readonly input: Fields }
  /** `fails`: Codex rejects such arguments, so that the hook has failed. `denies`: the host's tool could not do what the hook wrote. */
  | { readonly ok: false; readonly effect: 'fails' | 'denies'; readonly why: string };

/** Converts arguments that a hook wrote into arguments of the host's tool. */
export function toHostInput(returned: Fields, event: Fields, host: CodexHost): HostInput {
  const own = ownCallOf(event, host.tools);
  if (own === undefined) return { ok: true, input: returned };
  const { hostName, original, cwd } = own;
  const call = callOfInput(event, host);
  const toHost = (input: Fields): HostInput => ({ ok: true, input: host.tools.toHost(hostName, input, original, cwd) });
  // Arguments that are not a change of a file, or not all of it, are not shown as a patch.
  if (call?.name !== patchTool || typeof call.input[patchKey] !== 'string') return toHost(returned);
  const { [patchKey]: patch, ...others } = returned;
  if (typeof patch !== 'string') {
    return { ok: false, effect: 'fails', why: `updatedInput of ${patchTool} must have the patch as a string in "${patchKey}"` };
  }
  const shown = host.tools.toDialect(hostName, original, cwd);
  const change = changeIn(shown);
  // The host's own tool takes a patch, or the hook has not changed it.
  if (change === undefined) return toHost(returned);
  if (patch === call.input[patchKey]) return toHost({ ...changeOnly(shown), ...others });
  const read = readPatch(patch);
  if (read === undefined || read.kind !== change.kind) {
    const wanted = change.kind === 'write' ? 'one "*** Add File"' : 'one "*** Update File" with one place';
    return {
      ok: false,
      effect: 'denies',
      why: `the patch in updatedInput cannot be carried out by the tool "${hostName}", which needs ${wanted}`,
    };
  }
  return toHost({ ...others, ...argumentsOf(read, shown) });
}

function argumentsOf(change: FileChange, shown: Fields): Fields {
  return change.kind === 'write'
    ? { file_path: change.file, content: withEndOf(change.content, shown['content']) }
    : {
        file_path: change.file,
        old_string: withEndOf(change.oldText, shown['old_string']),
        new_string: withEndOf(change.newText, shown['new_string']),
      };
}

function changeOnly(shown: Fields): Fields {
  return Object.fromEntries(Object.entries(shown).filter(([key]) => changeKeys.includes(key)));
}

/** Converts a call as Codex writes it into a call of the host, for captured events. */
export function toHostCall(name: string, input: Fields, { tools }: CodexHost): { readonly name: string; readonly input: Fields } {
  const patch = input[patchKey] ?? input['input'];
  if (name !== patchTool || typeof patch !== 'string') return tools.toHostCall(name, input);
  const change = readPatch(patch);
  if (change === undefined) return { name, input };
  return change.kind === 'write'
    ? { name: 'write_file', input: { file_path: change.file, content: change.content } }
    : { name: 'replace', input: { file_path: change.file, old_string: change.oldText, new_string: change.newText } };
}
