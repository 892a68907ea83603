import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { llxprt } from '@tenterhook/dialects';
import type { Dialect, DialectContext, HookDefinition, HookExecutor, HookOutput, HookSource } from '@tenterhook/protocol';
import { createHooks } from '../src/create.js';
import type { CreateHooksOptions } from '../src/create-hooks-options.js';
import type { Hooks } from '../src/hooks.js';
import type { SettingsChange } from '../src/settings/watch/change-listeners.js';

/**
 * A project, a home directory and a system settings file in a temporary directory. The created hooks are disposed of before the directory
 * is removed.
 */
export interface Place {
  readonly project: string;
  readonly systemFile: string;
  /** The llxprt dialect, which searches for settings only in this temporary directory. */
  readonly dialect: Dialect;
  at(name: string): string;
  write(name: string, content: unknown): string;
  /** Creates hooks. Those of the project are trusted, unless the options say otherwise. */
  create(options?: CreateHooksOptions): Promise<Hooks>;
}

export async function inPlace(use: (place: Place) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tenterhook-create-'));
  const at = (name: string) => join(directory, name);
  const [project, systemFile] = [at('project'), at('etc/settings.json')];
  mkdirSync(project);
  const native = llxprt({ systemFile });
  // jest gives tests their own `process.env`, so setting HOME here would not change the home directory that Node.js uses.
  const atHome = (context: DialectContext) => ({ ...context, home: at('home') });
  const dialect: Dialect = {
    ...native,
    locations: (context) => native.locations(atHome(context)),
    lookalikes: (context) => native.lookalikes?.(atHome(context)) ?? [],
  };
  const created: Hooks[] = [];
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
    return at(name);
  };
  const create = async (options: CreateHooksOptions = {}) => {
    const hooks = await createHooks({ projectDir: project, sessionId: 's1', dialects: [dialect], trust: 'all', ...options });
    created.push(hooks);
    return hooks;
  };
  try {
    await use({ project, systemFile, dialect, at, write, create });
  } finally {
    for (const hooks of created) await hooks.dispose();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Settings with one group for BeforeTool. */
export function toolHooks(...commands: readonly (string | object)[]): { hooks: object } {
  return { hooks: { BeforeTool: [{ hooks: commands.map((command) => (typeof command === 'string' ? { command } : command)) }] } };
}

export function fireTool(hooks: Hooks) {
  return hooks.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' });
}

/** Resolves when the settings are reloaded. */
export function nextChange(hooks: Hooks): Promise<SettingsChange> {
  return new Promise((resolve) => {
    const unsubscribe = hooks.onChange((change) => {
      unsubscribe();
      resolve(change);
    });
  });
}

/** The smallest possible engine, made of one function: it is the source of the hooks, their dialect and their executor. */
export function handlerOf(id: string, handle: (argument: unknown) => unknown): HookSource & HookExecutor {
  const hook: HookDefinition = {
    id,
    dialect: 'functions',
    source: 'handler',
    eventName: 'BeforeTool',
    dialectEvent: 'BeforeTool',
    timeoutMs: 1000,
    onError: 'block',
    action: { kind: 'call', handlerId: id },
    dialectData: undefined,
  };
  return {
    dialect: {
      name: 'functions',
      events: {},
      eventsIn: () => [],
      locations: () => [],
      claims: () => undefined,
      parse: ({ source }) => ({ source, hooks: [], diagnostics: [] }),
      layOut: (hooks) => [{ hooks }],
      select: () => ({ run: true, reason: 'always' }),
      invocation: ({ input }) => ({ kind: 'call', handlerId: id, argument: input }),
      decode: (exit) => ({ output: (exit as unknown as { answer: HookOutput }).answer, warnings: [] }),
    },
    hooksFor: (eventName) => (eventName === 'BeforeTool' ? [hook] : []),
    changes$: { subscribe: () => ({ unsubscribe() {} }) },
    kind: 'call',
    async run(invocation, _hook, _event, { onStart }) {
      onStart();
      return { kind: 'answered', answer: handle((invocation as { argument: unknown }).argument), durationMs: 0 };
    },
  };
}
