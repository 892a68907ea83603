import * as z from 'zod';
import { specific } from './event-fields.js';

export const noEffects = { deny: 'nothing; a warning says so', stop: 'nothing; a warning says so' };

/** What holds for every event that hooks watch and have no say in. */
export const observed = {
  specificOutput: z.looseObject(specific),
  strategy: 'observe',
  may: { block: false, stop: false, inject: false },
  effects: noEffects,
  rewrites: [],
} as const;
