import { writeSync } from 'node:fs';
import { version } from './version.js';

const argv = process.argv.slice(2);

// Editors and package managers ask every tool for its version, so that answer loads nothing else, the streams of the process included.
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  writeSync(1, `${version}\n`);
} else {
  const { runInProcess } = await import('./run.js');
  await runInProcess(argv);
}
