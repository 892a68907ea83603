import { commandBlocks, programs, runCommands, runProgram } from './run-block.js';

// The other pages are tested in the second tier: programs.slow.test.ts and commands.slow.test.ts.

const ofReadme = ({ page }: { page: string }) => page === 'README.md';

test.each(programs.filter(ofReadme))('$place runs', runProgram);
test.each(commandBlocks.filter(ofReadme))('$place runs, and prints what is shown', runCommands);
