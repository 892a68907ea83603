import { runStory } from '@tenterhook/example-agent-loop';
import { tideTables } from './tide-tables.js';

await runStory(tideTables, process.argv.slice(2));
