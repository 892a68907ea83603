import { type CombinedSettings, type Diagnostic, type HookDefinition, type ParsedSettings, placeOfHook } from '@tenterhook/protocol';
import { formatValue } from '../shared/text.js';
import { dataOf } from './hook-data.js';

/** All hooks of all files. One key in two of them is two hooks: a repository must not silence a user's guard by taking its key (decision 62). */
export function combine(parsed: readonly ParsedSettings[]): CombinedSettings {
  const first = new Map<string, HookDefinition>();
  const told = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const hook of parsed.flatMap(({ hooks }) => hooks)) {
    const { key } = dataOf(hook);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, hook);
    if (earlier === undefined || isOfOneDocument(earlier, hook) || told.has(JSON.stringify([key, hook.source]))) continue;
    told.add(JSON.stringify([key, hook.source]));
    diagnostics.push(repeated(key, earlier, hook));
  }
  return { hooks: parsed.flatMap(({ hooks }) => hooks), off: [], diagnostics };
}

function repeated(key: string, earlier: HookDefinition, hook: HookDefinition): Diagnostic {
  return {
    code: 'repeated_key',
    severity: 'warning',
    message: `The hook key ${formatValue(key)} stands in ${placeOf(earlier)} and in ${placeOf(hook)}; both hooks count.`,
    remedy: 'Give one of them another key.',
    ...placeOfHook(hook),
  };
}

function isOfOneDocument(a: HookDefinition, b: HookDefinition): boolean {
  return a.source === b.source && a.file === b.file;
}

function placeOf({ file, source }: HookDefinition): string {
  return file ?? `the settings "${source}"`;
}
