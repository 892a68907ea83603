import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { fileKeys } from '../shared/tools/canonical-tools.js';

type Fields = Readonly<Record<string, unknown>>;

/** The tools that are about one file, and how Gemini CLI calls it: guards look for it there and nowhere else. */
const fileTools: readonly unknown[] = ['read_file', 'write_file', 'replace'];
const told = 'file_path';
const ownKeys = [told, 'absolute_path'];

/**
 * The arguments with the file under Gemini CLI's key as well, where the host has it under another alone: a guard that finds no file lets the
 * call through. Beside the host's key and not in its place: the names are the canonical ones, and hooks may know either.
 */
export function withFile(toolName: unknown, toolInput: Fields): Fields {
  const key = hostKeyOf(toolName, toolInput);
  return key === undefined ? toolInput : { ...toolInput, [told]: toolInput[key] };
}

/** Arguments that a hook wrote, with the file under the key that the host has for it. */
export function withoutFile(toolName: unknown, returned: Fields, toolInput: unknown): Fields {
  const original = isPlainObject(toolInput) ? toolInput : {};
  const key = hostKeyOf(toolName, original);
  if (key === undefined || !Object.hasOwn(returned, told)) return returned;
  const { [told]: file, ...others } = returned;
  // What comes back as it was told was not written, and must not undo what was.
  const isWritten = !isSameJson(file, original[key]);
  return isWritten || !Object.hasOwn(others, key) ? { ...others, [key]: file } : others;
}

/** Two keys under which different files stand: the model chooses the arguments, and the tool may read either. */
export function rivalFiles(toolName: unknown, toolInput: Fields): readonly [string, string] | undefined {
  if (!fileTools.includes(toolName)) return undefined;
  const [key, ...others] = fileKeys.filter((name) => isFile(toolInput[name]));
  const other = others.find((name) => toolInput[name] !== toolInput[key as string]);
  return key === undefined || other === undefined ? undefined : [key, other];
}

function hostKeyOf(toolName: unknown, toolInput: Fields): string | undefined {
  if (!fileTools.includes(toolName) || ownKeys.some((key) => isFile(toolInput[key]))) return undefined;
  return fileKeys.find((key) => isFile(toolInput[key]));
}

function isFile(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
