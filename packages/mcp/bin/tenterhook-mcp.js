#!/usr/bin/env node
// The exit is explicit, because a client that stays connected keeps stdin open.
require('../dist/bundle.cjs')
  .runCommand(process.argv.slice(2), require('../package.json').version)
  .catch((error) => {
    process.stderr.write(`tenterhook-mcp: This is a bug in Tenterhook. ${error?.stack}\n`);
    return 70;
  })
  .then((status) => process.exit(status));
