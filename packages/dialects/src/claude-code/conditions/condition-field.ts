import { formatValue } from '../../shared/text.js';
import type { HandlerContext } from '../handlers/handler-context.js';
import { factsOf } from '../input/event-table.js';
import { compilePermissionRule } from '../matching/conditions/condition.js';
import type { RuleRoots } from '../matching/conditions/path-rule.js';
import type { Condition } from '../settings/hook-data.js';

/**
 * The rule in `if`. One that cannot be read is said and left out, so that the hook runs: what was meant to guard some calls should rather be
 * asked about all of them.
 */
export function conditionField(
  value: unknown,
  roots: RuleRoots,
  { reporter, path, event, eventName, hookId }: HandlerContext,
): Condition | undefined {
  if (value === undefined || value === '') return undefined;
  const place = [...path, 'if'];
  const about = { eventName, hookId };
  if (typeof value !== 'string') {
    const message = `"if" is ${formatValue(value)} and not a permission rule; it is ignored, and the hook runs without a condition.`;
    reporter.report('invalid_condition', 'error', place, message, { remedy: 'Write a rule such as "Bash(git push *)".', ...about });
    return undefined;
  }
  if (factsOf(event).ofTool !== true) {
    const message = `"if" is about a call of a tool, and ${event} is about none; the hook never runs.`;
    reporter.report('invalid_condition', 'error', place, message, { remedy: 'Remove it, and decide in the hook.', ...about });
    return { text: value };
  }
  const rule = compilePermissionRule(value, roots);
  if (rule.ok) return { text: value, fits: rule.fits };
  reporter.report('invalid_condition', 'error', place, `${rule.message}; it is ignored, and the hook runs without a condition.`, {
    remedy: rule.remedy,
    ...about,
  });
  return undefined;
}
