import { processContext } from './context.js';
import { ExitStatus } from './exit-status.js';
import { version } from './version.js';

const argv = process.argv.slice(2);

// A reader that is gone (`| head`) is no error. A full disk is one, and it is not a bug of this program.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`tenterhook: stdout cannot be written: ${error.message}\n`);
  process.exitCode = ExitStatus.expectedFailure;
});

// Editors and package managers ask for the version of every tool, so that answer loads nothing else.
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const { run } = await import('./run.js');
  process.exitCode = await run(argv, processContext);
}
