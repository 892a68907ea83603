import type { CombinedSettings, Diagnostic, Dialect, HookDefinition, ParsedDocument, SettingsDocument, Stage } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { describeThrown } from '@tenterhook/runtime/text';
import { readWithinLimits } from './document-limits.js';

const log = createLog('settings');

/** A dialect with the methods `combine` and `configure`, which are optional in `Dialect`. By default they change nothing. */
export type ContainedDialect = Dialect & Required<Pick<Dialect, 'combine' | 'configure'>>;

/** The wrapped form of each dialect. A dialect that is wrapped already is its own wrapped form. */
const known = new WeakMap<Dialect, ContainedDialect>();

/**
 * Wraps a dialect (the code for the hook format of one agent). An error in one of its methods then affects only its own hooks, and never
 * lets an operation bypass a guard. Each dialect is wrapped once, when it is registered, so that callers need no `try`. These methods
 * still throw:
 * - `locations`, because a missing settings file would otherwise not be noticed.
 * - `pinnedParts`, because a hook with parts missing could look like another one.
 * - `invocation` and `decode`, because the runner turns their errors into a failure of the hook.
 */
export function containDialect(dialect: Dialect): ContainedDialect {
  let contained = known.get(dialect);
  if (contained === undefined) {
    contained = contain(dialect);
    known.set(dialect, contained);
    known.set(contained, contained);
  }
  return contained;
}

/**
 * The methods are copied one by one, because the dialect may be an instance of a class. A spread would lose the methods of the class. If
 * the dialect were the prototype, its private fields would not work.
 */
function contain(dialect: Dialect): ContainedDialect {
  const { name } = dialect;
  return {
    ...valuesOf(dialect),
    ...(dialect.settingsJsonSchema && { settingsJsonSchema: () => dialect.settingsJsonSchema?.() ?? {} }),
    locations: (context) => dialect.locations(context),
    ...(dialect.lookalikes && { lookalikes: (context) => attempt(name, 'lookalikes', () => dialect.lookalikes?.(context)) ?? [] }),
    ...(dialect.claims && { claims: (file, context) => attempt(name, 'claims', () => dialect.claims?.(file, context)) }),
    ...(dialect.eventsIn && { eventsIn: (value) => attempt(name, 'eventsIn', () => dialect.eventsIn?.(value)) ?? [] }),
    ...(dialect.extensionFiles && {
      extensionFiles: (directory) => attempt(name, 'extensionFiles', () => dialect.extensionFiles?.(directory)) ?? [],
    }),
    parse: (given, context) =>
      readWithinLimits(name, given, (document) => {
        try {
          return dialect.parse(document, context);
        } catch (error) {
          return unreadable(name, error, document);
        }
      }),
    combine: (parsed): CombinedSettings => {
      try {
        return dialect.combine?.(parsed) ?? { hooks: parsed.flatMap((entry) => entry.hooks), off: [], diagnostics: [] };
      } catch (error) {
        return { hooks: [], off: [], diagnostics: [dialectFailed(name, error)] };
      }
    },
    // An error is not caught here. Otherwise the user would be asked to trust a hook with parts missing.
    ...(dialect.pinnedParts && { pinnedParts: (hook) => dialect.pinnedParts?.(hook) ?? {} }),
    configure: (hook, reaching) => attempt(name, 'configure', () => dialect.configure?.(hook, reaching)) ?? hook,
    layOut: (hooks) => layOut(dialect, hooks),
    select: (hook, event) => {
      try {
        return dialect.select(hook, event);
      } catch (error) {
        // After an error the hook runs, and its answer is used. If the hook were skipped, a bug in the dialect could let through what a
        // guard denies.
        const reason = `the dialect "${name}" could not decide whether the hook runs, so it runs: ${String(error)}`;
        return { run: true, reason, undecided: true };
      }
    },
    invocation: (event, hook, environment) => dialect.invocation(event, hook, environment),
    decode: (exit, event, hook) => dialect.decode(exit, event, hook),
    ...(dialect.writeInput && {
      writeInput: (name, event) => attempt(dialect.name, 'writeInput', () => dialect.writeInput?.(name, event)) ?? event.input,
    }),
    ...(dialect.readInput && {
      readInput: (event, input) => attempt(name, 'readInput', () => dialect.readInput?.(event, input)) ?? { input, defaults: {} },
    }),
    ...(dialect.denied && { denied: (output, hook) => attempt(name, 'denied', () => dialect.denied?.(output, hook)) ?? output }),
  };
}

type MethodKey = { [Key in keyof Dialect]-?: Required<Dialect>[Key] extends (...given: never[]) => unknown ? Key : never }[keyof Dialect];
type ValueKey = Exclude<keyof Dialect, MethodKey>;

/** The properties of a dialect that are not methods. The compiler reports a property of `Dialect` that is missing here. */
const valueKeys: Readonly<Record<ValueKey, true>> = {
  name: true,
  agent: true,
  agentVariables: true,
  events: true,
  starter: true,
  relay: true,
  extensionSource: true,
  readsEnvironment: true,
  traceFields: true,
  failureField: true,
  failureValues: true,
  detachField: true,
  timeoutUnit: true,
  contextSeparator: true,
  contextLimit: true,
};

function valuesOf(dialect: Dialect): Pick<Dialect, ValueKey> {
  const given = (Object.keys(valueKeys) as ValueKey[]).filter((key) => dialect[key] !== undefined);
  return Object.fromEntries(given.map((key) => [key, dialect[key]])) as unknown as Pick<Dialect, ValueKey>;
}

/** Calls a method. If it throws, the error is logged and the result is undefined. */
function attempt<Answer>(name: string, method: string, ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    log('%s() of the dialect "%s" threw: %O', method, name, error);
    return undefined;
  }
}

/**
 * Returns the stages of a dialect. No error in its `layOut` may lose a hook:
 * - If `layOut` throws, the hooks run one after another.
 * - A hook that `layOut` leaves out runs last.
 * - A hook that `layOut` returns twice runs once.
 * - A hook that `layOut` adds is dropped.
 */
function layOut(dialect: Dialect, hooks: readonly HookDefinition[]): readonly Stage[] {
  const left = new Set(hooks);
  const one = (hook: HookDefinition): Stage => ({ hooks: [hook] });
  try {
    const stages = dialect.layOut(hooks).map((stage) => ({ hooks: stage.hooks.filter((hook) => left.delete(hook)) }));
    return [...stages.filter((stage) => stage.hooks.length > 0), ...[...left].map(one)];
  } catch {
    return hooks.map(one);
  }
}

/** Returns the result for a document that the dialect could not parse: no hooks, and a diagnostic. */
function unreadable(name: string, error: unknown, { source, file }: SettingsDocument): ParsedDocument {
  const diagnostic = { ...dialectFailed(name, error), source, ...(file === undefined ? {} : { file }) };
  return { hooks: [], diagnostics: [diagnostic], isUnusable: true };
}

function dialectFailed(name: string, error: unknown): Diagnostic {
  const message = `The dialect "${name}" failed to read the settings, so they are ignored (${describeThrown(error)}).`;
  return { code: 'dialect_failed', severity: 'error', message, remedy: 'Report it to the author of the dialect.', dialect: name };
}
