import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pinOf } from '../../src/pin/pin.js';
import type { HookCommand } from '../../src/reach/command/read-command.js';
import { ReachProject } from '../../src/reach/files/project.js';
import { type FoundReach, findReach } from '../../src/reach/find-reach.js';
import type { OpenReason } from '../../src/reach/open-reasons.js';

/** The texts of reasons. */
export function textsOf(reasons: readonly OpenReason[]): string[] {
  return reasons.map(({ text }) => text);
}

/** A project directory of a test, with a home directory beside it. */
export class TestProject {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'reach-')));
  readonly directory = join(this.base, 'project');
  readonly home = join(this.base, 'home');

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.directory);
    mkdirSync(this.home);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(relative: string): string {
    return join(this.directory, relative);
  }

  /** Writes a file. A text that begins with `#!` makes it executable; `link:` makes it a link. */
  write(relative: string, text: string): void {
    const path = this.path(relative);
    mkdirSync(dirname(path), { recursive: true });
    if (text.startsWith('link:')) symlinkSync(text.slice(5), path);
    else writeFileSync(path, text);
    if (text.startsWith('#!')) chmodSync(path, 0o755);
  }

  get variables(): Record<string, string> {
    const { directory } = this;
    return { HOME: this.home, PWD: directory, CLAUDE_PROJECT_DIR: directory, GEMINI_PROJECT_DIR: directory, PATH: '/usr/bin:/bin' };
  }

  /** What a command reaches. A text is a command line of a shell. */
  find(
    command: HookCommand | string,
    options: { directory?: string; variables?: Record<string, string>; project?: ReachProject; isOwn?: boolean } = {},
  ): FoundReach {
    const {
      directory: cwd = this.directory,
      variables = this.variables,
      project = new ReachProject({ directory: this.directory }),
      isOwn = false,
    } = options;
    return findReach({ command: typeof command === 'string' ? { kind: 'shell', text: command } : command, cwd, variables, isOwn }, project);
  }

  /** The entries as `kind path`. */
  entries(command: HookCommand | string): string[] {
    return this.find(command).reach.entries.map(({ kind, path }) => `${kind} ${path}`);
  }

  pin(command: HookCommand | string): string {
    const { entries, open } = this.find(command).reach;
    return pinOf({ project: this.directory, dialect: 'claude-code', definition: { command }, environment: {}, reach: { entries, open } });
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
