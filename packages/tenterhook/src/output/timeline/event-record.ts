import { type HookExecutionProgress, type HookExecutionRequest, isHookEventName } from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import { escapeForTerminal } from '../terminal/escape.js';

export interface StartedHook {
  /** The time since the event began, in milliseconds. */
  readonly elapsedMs: number;
  readonly timeoutMs: number;
  /** When the message about the start of the hook arrived, by the clock of this process. The live line shows the time since then. */
  readonly toldAtMs: number;
  /** True if the settings ask not to show the runs of the hook in the chat. */
  readonly isHidden: boolean;
}

/** The state of one event while it runs. Progress messages add to it, and the response ends it. */
export interface EventRecord {
  title: string;
  /** The labels of the planned hooks by id, in plan order. */
  readonly planned: Map<string, string>;
  readonly started: Map<string, StartedHook>;
  /** Hooks that ran again, because the input was rewritten after their answer. */
  readonly rechecked: Map<string, StartedHook>;
  readonly ended: Set<string>;
  /** Detached hooks that ended before the event was answered. */
  readonly lateEnds: Extract<HookExecutionProgress, { kind: 'hook-finished' }>[];
}

export function createEventRecord(title: string): EventRecord {
  return { title, planned: new Map(), started: new Map(), rechecked: new Map(), ended: new Set(), lateEnds: [] };
}

/**
 * Formats the event and the value that matchers are compared with: `BeforeTool write_file`. The bus also carries malformed requests, so
 * every field may be missing.
 */
export function formatTitle({ eventName, input }: Partial<HookExecutionRequest>): string {
  if (typeof eventName !== 'string') return 'unknown event';
  const isObject = typeof input === 'object' && input !== null;
  const subject = isHookEventName(eventName) && isObject ? matcherSubject(eventName, input) : undefined;
  return escapeForTerminal(subject === undefined ? eventName : `${eventName} ${subject}`, 80);
}

export function addProgress(record: EventRecord, progress: HookExecutionProgress, nowMs: number): void {
  switch (progress.kind) {
    case 'planned':
      for (const hook of progress.stages.flat()) record.planned.set(hook.hookId, hookLabel(hook));
      break;
    case 'hook-started': {
      const { hookId, elapsedMs, timeoutMs, hidden = false, recheck } = progress;
      record.planned.set(hookId, record.planned.get(hookId) ?? hookLabel(progress));
      record.ended.delete(hookId);
      (recheck ? record.rechecked : record.started).set(hookId, { elapsedMs, timeoutMs, toldAtMs: nowMs, isHidden: hidden });
      break;
    }
    case 'hook-finished':
      record.ended.add(progress.hookId);
      if (progress.late) record.lateEnds.push(progress);
      break;
    case 'hook-skipped':
      record.ended.add(progress.hookId);
      break;
    case 'hook-input':
    case 'circuit-changed':
      break;
  }
}

export interface LabelledHook {
  readonly hookId: string;
  readonly name?: string | undefined;
  readonly command?: string | undefined;
}

/**
 * Returns the label of a hook: its name, else its script. If it has neither, the label is its source and the end of its id: `project/0.1`.
 * The end alone (`0.1`) would mean nothing to a reader.
 */
export function hookLabel({ hookId, name, command = '' }: LabelledHook): string {
  const label = name ?? scriptIn(command);
  if (label !== undefined) return escapeForTerminal(label, 40);
  const parts = hookId.split('/');
  return escapeForTerminal(parts.length > 3 ? `${parts[1]}/${parts.at(-1)}` : hookId, 40);
}

/** Tests whether a hook has neither a name nor a script, so that its label is made from its id. */
export function isOfId({ name, command = '' }: LabelledHook): boolean {
  return (name ?? scriptIn(command)) === undefined;
}

/** Returns the script that a command starts with, directly or after an interpreter. Any other command is too long for a label. */
function scriptIn(command: string): string | undefined {
  return /^\s*(?:(?:node|bash|sh|python3?|ruby|perl|pwsh)\s+)?(?:\$\{\w+\}|[^\s;|&<>(){}])*\/([\w.-]+)["']?(?=\s|$)/.exec(
    command.slice(0, 500),
  )?.[1];
}
