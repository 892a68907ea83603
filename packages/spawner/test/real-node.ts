import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

export interface NodeRun {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RealNode {
  /** Runs a module that can `import … from 'spawner'`, in a Node of its own: jest's `process` has neither the real 'exit' nor the real 'warning' event. */
  run(source: string, env?: Record<string, string>): Promise<NodeRun>;
  close(): void;
}

/** Transpiles our sources into a separate directory, so that built packages are neither needed nor overwritten. */
export function openRealNode(): RealNode {
  const place = mkdtempSync(join(tmpdir(), 'spawner-node-'));
  const modules = join(place, 'node_modules');
  transpile('../src/', join(modules, 'spawner'), './index.js');
  transpile('../../runtime/src/', join(modules, '@tenterhook', 'runtime'), { './*': './*/index.js' });
  const require = createRequire(import.meta.url);
  for (const name of ['cross-spawn', 'p-limit', 'signal-exit']) symlinkSync(dirname(require.resolve(name)), join(modules, name));

  let runs = 0;
  return {
    run(source, env = {}) {
      runs += 1;
      const file = join(place, `run${runs}.mjs`);
      writeFileSync(file, source);
      return new Promise((resolve) => {
        const child = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
        let stdout = '';
        let stderr = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          stdout += text;
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          stderr += text;
        });
        child.on('close', (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
      });
    },
    close: () => rmSync(place, { recursive: true, force: true }),
  };
}

function transpile(from: string, to: string, exports: unknown): void {
  const sources = fileURLToPath(new URL(from, import.meta.url));
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const { code } = transformSync(readFileSync(join(sources, name), 'utf8'), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    const file = join(to, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  writeFileSync(join(to, 'package.json'), JSON.stringify({ type: 'module', exports }));
}
