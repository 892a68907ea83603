import { auggie } from '@tenterhook/dialects';
import { auggie as product } from '../../../packages/dialects/src/relatives/products/auggie.js';
import { relativeNames } from '../relatives/relative-names.js';

/** What the dialect of this agent knows. */
export const names = relativeNames(product, auggie());
