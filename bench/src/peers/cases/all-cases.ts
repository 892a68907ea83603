import { bus } from './bus.js';
import type { Case } from './case.js';
import { languageCases, shellCases } from './command-hooks.js';
import { commandLine } from './command-line.js';
import { functions } from './functions.js';
import { importCases } from './import.js';
import { keptMemory } from './kept-memory.js';
import { largeAgent } from './large-agent.js';
import { noHook } from './no-hook.js';
import { residentCases } from './resident-hooks.js';

/** The whole table, in the order in which it is printed. */
export const allCases: readonly Case[] = [
  noHook,
  functions,
  bus,
  ...shellCases,
  largeAgent,
  ...languageCases,
  ...residentCases,
  ...importCases,
  commandLine,
  keptMemory,
];
