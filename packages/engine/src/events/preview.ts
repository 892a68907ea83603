import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { describeThrown, shownUrl } from '@tenterhook/runtime/text';
import type { HookSet } from '../registry/registry.js';
import type { Explanation } from './explain.js';
import { beginningOfInput } from './input-beginning.js';
import type { ProgressListener } from './progress.js';

/** What a hook would receive. The values of variables and headers are left out, because they are where secrets are. */
export interface HookPreview {
  readonly hookId: string;
  readonly name?: string;
  /** From 1. */
  readonly stage: number;
  /** `refused`: the event would be denied, and the hook would not run. */
  readonly kind: Invocation['kind'];
  /** The command as the shell gets it, or the words of a program. */
  readonly command?: string;
  readonly url?: string;
  readonly cwd?: string;
  /** The beginning of what the hook would read, at most 64 KiB. */
  readonly stdin?: string;
  readonly stdinBytes?: number;
  /** Why the event would be denied without a run. */
  readonly reason?: string;
  /** Names only. */
  readonly headers?: readonly string[];
  /** Names only. */
  readonly env?: readonly string[];
}

/** Previews the hooks that would run. Rewrites of other hooks are not known, so each hook gets the original input. */
export function previewEvent(
  { hooks, dialects }: HookSet,
  event: HookEvent,
  { hooks: explained }: Explanation,
  environment: Readonly<Record<string, string>>,
): HookPreview[] {
  const byId = new Map(hooks[event.eventName].map((hook) => [hook.id, hook]));
  return explained.flatMap(({ hookId, wouldRun, stage = 0 }) => {
    const hook = byId.get(hookId);
    const dialect = dialects.find(({ name }) => name === hook?.dialect);
    if (!wouldRun || hook === undefined || dialect === undefined) return [];
    const named = { hookId, ...(hook.name === undefined ? {} : { name: hook.name }), stage };
    try {
      return [{ ...named, ...receivedBy(dialect.invocation(event, hook, dialect.readsEnvironment === false ? {} : environment)) }];
    } catch (error) {
      // The hook would fail in the same way.
      return [{ ...named, kind: 'refused', reason: describeThrown(error) } as const];
    }
  });
}

function receivedBy(invocation: Invocation): Omit<HookPreview, 'hookId' | 'stage'> {
  const { kind } = invocation;
  switch (invocation.kind) {
    case 'command': {
      const { command, cwd, stdin, env } = invocation;
      const text = command.kind === 'shell' ? command.text : [command.file, ...command.args].join(' ');
      return { kind, command: text, cwd, ...beginningOfInput(stdin), env: Object.keys(env).sort() };
    }
    case 'http':
      return { kind, url: shownUrl(invocation.url), ...beginningOfInput(invocation.body), headers: Object.keys(invocation.headers).sort() };
    case 'call':
      return { kind, ...beginningOfInput(JSON.stringify(invocation.argument) ?? '') };
    case 'host':
      return { kind, ...beginningOfInput(JSON.stringify(invocation.input) ?? '') };
    case 'refused':
      return { kind, reason: invocation.reason };
  }
}

/** Returns a function that reports what a hook receives. Functions of the program receive objects, which are not reported. */
export function createInputTeller(report: ProgressListener): (hook: HookDefinition, invocation: Invocation, recheck: boolean) => void {
  return (hook, invocation, isRecheck) => {
    const recheck = isRecheck ? { recheck: true as const } : {};
    if (invocation.kind === 'command') report({ kind: 'input', hook, stdin: invocation.stdin, cwd: invocation.cwd, ...recheck });
    else if (invocation.kind === 'http') report({ kind: 'input', hook, stdin: invocation.body, ...recheck });
  };
}
