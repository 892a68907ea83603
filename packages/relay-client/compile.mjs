/**
 * Compiles the client into dist/tenterhook-hook, if this machine has a C compiler. A static program starts in half the time of a dynamic
 * one, so that is tried first. Without a compiler, `tenterhook relay install` writes a script instead.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const compiler = process.env.CC || 'cc';
const sources = readdirSync(join(folder, 'src/client')).filter((file) => file.endsWith('.c'));
const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Wno-sign-conversion', '-Werror'];
const options = ['-std=c99', '-D_POSIX_C_SOURCE=200809L', '-D_XOPEN_SOURCE=700', `-DTENTERHOOK_VERSION="${version}"`, '-Os', ...warnings];

const hasCompiler = process.platform !== 'win32' && spawnSync(compiler, ['--version'], { stdio: 'ignore' }).status === 0;
if (hasCompiler) {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const isCompiled = compile('-static').status === 0;
  if (!isCompiled) {
    const { status, stderr } = compile();
    process.stderr.write(stderr);
    process.exitCode = status ?? 1;
  }
} else process.stdout.write(`There is no C compiler (${compiler}), so the client of the relay is a script.\n`);

function compile(...more) {
  const files = sources.map((file) => join(folder, 'src/client', file));
  return spawnSync(compiler, [...options, ...more, '-s', '-o', join(folder, 'dist/tenterhook-hook'), ...files], { encoding: 'utf8' });
}
