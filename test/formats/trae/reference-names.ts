import { trae } from '@tenterhook/dialects';
import { trae as product } from '../../../packages/dialects/src/relatives/products/trae.js';
import { relativeNames } from '../relatives/relative-names.js';

/** What the dialect of this agent knows. */
export const names = relativeNames(product, trae());
