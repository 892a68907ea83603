import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from 'tenterhook';

/** A project with settings whose hooks can be replaced by others, and recordings of what they answer. */
export class RecordingScene {
  readonly project = mkdtempSync(join(tmpdir(), 'recordings-'));

  path(name: string): string {
    return join(this.project, name);
  }

  write(name: string, text: string): void {
    writeFileSync(this.path(name), text);
  }

  /** Writes settings whose guard of BeforeTool is this command, and records two events. */
  async record(name: string, guard: string): Promise<string> {
    this.useGuard(guard);
    const file = this.path(name);
    const hooks = await createHooks({
      settings: ['settings.json'].map((one) => this.path(one)),
      projectDir: this.project,
      record: { file },
    });
    await hooks.fire('SessionStart', { source: 'startup' });
    await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path: this.path('a.txt') } });
    await hooks.dispose();
    return file;
  }

  useGuard(command: string): void {
    const greeter = { name: 'greeter', command: 'echo \'{"systemMessage":"Hello."}\'' };
    const settings = {
      hooks: {
        SessionStart: [{ hooks: [greeter] }],
        BeforeTool: [
          {
            hooks: [
              { name: 'guard', command },
              { name: 'watcher', command: 'touch ran; exit 0' },
            ],
          },
        ],
      },
    };
    this.write('settings.json', JSON.stringify(settings));
  }

  remove(): void {
    rmSync(this.project, { recursive: true, force: true });
  }
}
