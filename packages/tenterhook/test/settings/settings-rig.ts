import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { containDialect } from '@tenterhook/engine/internal';
import type { Dialect, HookDefinition, HookEventName, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** A temporary directory that exists during a test. Names of files are relative to it. */
export interface Directory {
  readonly path: string;
  at(name: string): string;
  /** Writes a text unchanged, and any other value as JSON. */
  write(name: string, content: unknown): void;
  remove(name: string): void;
}

export async function withFiles<Result>(files: Record<string, unknown>, use: (directory: Directory) => Promise<Result>): Promise<Result> {
  const path = mkdtempSync(join(tmpdir(), 'tenterhook-settings-'));
  const at = (name: string) => join(path, name);
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  try {
    for (const [name, content] of Object.entries(files)) write(name, content);
    return await use({ path, at, write, remove: (name) => rmSync(at(name)) });
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Creates a minimal dialect, wrapped as `createHooks` wraps dialects. Its settings are `{ "hooks": { "<event>": ["name"] } }` in
 * `<project>/.<dialect>/hooks.json`. Its hooks are loaded and never run.
 */
export function fakeDialect(name: string, events: Record<string, HookEventName>, changes: Partial<Dialect> = {}): Dialect {
  const notRun = () => {
    throw new Error('the hooks of this dialect are not run');
  };
  const eventsIn = (value: unknown) => (isPlainObject(value) && isPlainObject(value['hooks']) ? Object.keys(value['hooks']) : []);
  return containDialect({
    name,
    events,
    eventsIn: (value) => eventsIn(value).filter((event) => Object.hasOwn(events, event)),
    locations: ({ projectDir }) => [{ source: 'project', file: join(projectDir, `.${name}/hooks.json`) }],
    claims: (file) => (file.endsWith(`/.${name}/hooks.json`) ? {} : undefined),
    parse: (document) => ({ source: document.source, hooks: hooksIn(document, name, events), diagnostics: [] }),
    layOut: (hooks) => [{ hooks }],
    select: notRun,
    invocation: notRun,
    decode: notRun,
    ...changes,
  });
}

function hooksIn({ source, value }: SettingsDocument, dialect: string, events: Record<string, HookEventName>): HookDefinition[] {
  const groups = Object.entries((value as { hooks: Record<string, string[]> }).hooks);
  return groups.flatMap(([dialectEvent, names]) => {
    const eventName = events[dialectEvent];
    if (eventName === undefined) return [];
    return names.map((name) => ({
      id: `${dialect}/${source}/${dialectEvent}/${name}`,
      dialect,
      source,
      eventName,
      dialectEvent,
      timeoutMs: 1000,
      onError: 'continue' as const,
      action: { kind: 'command' as const, command: name },
      dialectData: undefined,
    }));
  });
}

/** Two dialects with one common event. Each also has an event that the other one lacks. */
export const north = fakeDialect('north', { Tool: 'BeforeTool', Rise: 'SessionStart' });
export const south = fakeDialect('south', { Tool: 'BeforeTool', Set: 'SessionEnd' });
