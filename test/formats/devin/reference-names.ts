import { devin } from '@tenterhook/dialects';
import { devin as product } from '../../../packages/dialects/src/relatives/products/devin.js';
import { relativeNames } from '../relatives/relative-names.js';

/** What the dialect of this agent knows. */
export const names = relativeNames(product, devin());
