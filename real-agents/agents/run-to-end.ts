import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without any input. The test goes on meanwhile, because it is the model that the program asks. */
export async function runToEnd(
  file: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<ProgramOutput> {
  const child = spawn(file, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  await new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()));
  return { stdout: await stdout, stderr: await stderr };
}
