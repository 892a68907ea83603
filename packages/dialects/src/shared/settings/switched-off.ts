import type { CombinedSettings, Diagnostic, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { omitUndefined, pathText } from '@tenterhook/runtime/json';
import type { DocumentPath } from './reporter.js';

/** The setting that switches a hook off, or the place where it could be switched on. */
export interface Switch {
  readonly document: ParsedSettings;
  readonly path: DocumentPath;
  /** A sentence: what is set, or not set, and where. */
  readonly reason: string;
  /** How to switch the hooks on. */
  readonly remedy: string;
}

/** The hooks that settings switch off as a whole. Users forget the switch, and expect the hooks to run. */
export class SwitchedOffHooks {
  readonly off: { hook: HookDefinition; reason: string }[] = [];
  readonly #bySwitch = new Map<string, { readonly by: Switch; readonly hooks: HookDefinition[] }>();

  add(hook: HookDefinition, by: Switch): void {
    this.off.push({ hook, reason: `${by.reason} ${by.remedy}` });
    const key = JSON.stringify([by.document.source, by.document.file, by.path, by.reason]);
    const known = this.#bySwitch.get(key);
    if (known === undefined) this.#bySwitch.set(key, { by, hooks: [hook] });
    else known.hooks.push(hook);
  }

  /** A warning for each switch, at the switch: of a hook that is off nothing else is reported, and no event shows it. */
  get diagnostics(): CombinedSettings['diagnostics'] {
    return [...this.#bySwitch.values()].map(({ by: { document, path, reason, remedy }, hooks }): Diagnostic => {
      const [first] = hooks as [HookDefinition];
      const count = hooks.length === 1 ? '1 hook is' : `${hooks.length} hooks are`;
      return {
        code: 'hooks_off',
        severity: 'warning',
        message: `${count} switched off. ${reason}`,
        remedy,
        ...omitUndefined({ file: document.file }),
        ...document.locate?.(path),
        path: pathText(path),
        dialect: first.dialect,
        source: document.source,
      };
    });
  }
}
