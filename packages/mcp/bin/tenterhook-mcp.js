#!/usr/bin/env node
// The exit is explicit, because a client that stays connected keeps stdin open.
require('../dist/bundle.cjs')
  .runCommand(process.argv.slice(2), require('../package.json').version)
  .then((status) => process.exit(status));
