import type { Dialect } from '@tenterhook/protocol';
import { answerFields, specificFields } from '../../../packages/dialects/src/relatives/answers/read-answer.js';
import type { RelativeProduct } from '../../../packages/dialects/src/relatives/product.js';
import { knownToolNames } from '../../../packages/dialects/src/relatives/tools/tool-call.js';
import { type ReferenceNames, settingsFieldsOf } from '../reference-names.js';

/** What the dialect of a relative of Claude Code knows. */
export function relativeNames(product: RelativeProduct, dialect: Dialect): ReferenceNames {
  const specific = Object.values(product.events).flatMap((event) => Object.keys(specificFields(event, product)));
  const events = Object.keys(product.events);
  const common = events.flatMap((event) => Object.keys(product.common({ event, input: { env_file: '' }, projectDir: '', mode: '' })));
  return {
    Fields: settingsFieldsOf(dialect).filter((field) => !['recheck', 'mode'].includes(field)),
    Events: events,
    Input: [...new Set(common)],
    Tools: knownToolNames(product),
    Answers: [...answerFields, ...new Set(specific)],
    Environment: product.variableNames,
  };
}
