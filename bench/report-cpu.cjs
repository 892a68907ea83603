// Preloaded into a measured process: its processor time until its exit goes to descriptor 3, in milliseconds.
const { writeSync } = require('node:fs');
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, String((user + system) / 1000));
});
