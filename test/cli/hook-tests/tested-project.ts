import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CliRun, runCli } from '../../support/run-cli.js';

/** A directory with settings, hooks and a file of cases. */
export class TestedProject {
  readonly directory = mkdtempSync(join(tmpdir(), 'hook-tests-'));

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.directory, name)), { recursive: true });
    writeFileSync(join(this.directory, name), text);
  }

  /** Writes hooks of BeforeTool, each with a matcher that is its name. */
  writeHooks(commands: Readonly<Record<string, string>>): void {
    const groups = Object.entries(commands).map(([name, command]) => ({ matcher: `^${name}$`, hooks: [{ name, command }] }));
    this.write('settings.json', JSON.stringify({ hooks: { BeforeTool: groups } }));
  }

  /** Runs a file with these cases. */
  run(cases: readonly object[], ...flags: string[]): Promise<CliRun> {
    this.write('a.hook-test.json', JSON.stringify({ settings: 'settings.json', cases }));
    return this.runFiles(...flags);
  }

  /** Runs the files that were written. */
  runFiles(...flags: string[]): Promise<CliRun> {
    return runCli(['test', ...flags], { cwd: this.directory, home: join(this.directory, 'home') });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A case that calls the tool for which one hook of `writeHooks` runs. */
export function callOf(tool: string, expect: object): object {
  return { name: `${tool} ${JSON.stringify(expect)}`, event: 'BeforeTool', input: { tool_name: tool, tool_input: {} }, expect };
}
