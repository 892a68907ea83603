import { alignMessages } from '../../src/translators/align-messages.js';
import type { HookMessage } from '../../src/translators/hook-message.js';

/** `u:hi` is a message of the user, `-` one that was not shown. */
function messages(...texts: string[]): HookMessage[] {
  const roles = { u: 'user', m: 'model', s: 'system' } as const;
  return texts.map((text) => ({ role: roles[text[0] as 'u'], content: text.slice(2) }));
}

const table: Record<string, [shown: string[], returned: string[], expected: string]> = {
  'the same list': [['u:a', '-', 'm:b'], ['u:a', 'm:b'], 'kept 0, kept 1, kept 2'],
  'one text changed': [['u:a', '-', 'm:b'], ['u:x', 'm:b'], 'u:x at 0, kept 1, kept 2'],
  'every text changed: by place': [['u:a', 'm:b', 'u:c'], ['u:x', 'm:y', 'u:z'], 'u:x at 0, m:y at 1, u:z at 2'],
  'a role changed': [['u:a', 'm:b'], ['s:a', 'm:b'], 's:a at 0, kept 1'],
  'one gone, its follower stays': [['u:a', 'm:b', '-', 'u:c'], ['u:a', 'u:c'], 'kept 0, removed 1, kept 2, kept 3'],
  'all gone': [['u:a', '-'], [], 'removed 0, kept 1'],
  'one put in front, before what was not shown': [['-', 'u:a'], ['s:x', 'u:a'], 'new s:x, kept 0, kept 1'],
  'one put between, behind what was not shown': [
    ['u:a', '-', '-', 'm:b'],
    ['u:a', 'u:x', 'm:b'],
    'kept 0, kept 1, kept 2, new u:x, kept 3',
  ],
  'one put at the end': [['u:a', '-'], ['u:a', 'm:x'], 'kept 0, kept 1, new m:x'],
  'one moved: what stays in order is kept': [
    ['u:a', 'm:b', 'u:c', 'm:d'],
    ['m:d', 'u:a', 'm:b', 'u:c'],
    'new m:d, kept 0, kept 1, kept 2, removed 3',
  ],
  'one put in front and one changed: the roles tell which': [['u:a', 'm:b'], ['s:x', 'u:y', 'm:b'], 'new s:x, u:y at 0, kept 1'],
  'one gone and one changed: the roles tell which': [['s:x', 'u:a', 'm:b'], ['u:y', 'm:b'], 'removed 0, u:y at 1, kept 2'],
  'more, and no role fits: by place': [['u:a'], ['m:x', 'm:y'], 'm:x at 0, new m:y'],
  'fewer, and no role fits: by place': [['u:a', 'u:b'], ['m:x'], 'm:x at 0, removed 1'],
  'of two equal ones the earlier is kept': [['u:a', 'u:a'], ['u:a'], 'kept 0, removed 1'],
  'equal texts of different roles are different': [['u:a', 'm:a'], ['m:a'], 'removed 0, kept 1'],
  'nothing was shown': [['-', '-'], ['u:x'], 'new u:x, kept 0, kept 1'],
};

test.each(Object.entries(table))('%s', (_, [shown, returned, expected]) => {
  const steps = alignMessages(
    shown.map((text) => (text === '-' ? undefined : messages(text)[0])),
    messages(...returned),
  );
  const written = ({ role, content }: HookMessage) => `${role[0]}:${content}`;
  const words = steps.map((step) => {
    if (step.kind === 'inserted') return `new ${written(step.message)}`;
    return step.kind === 'changed' ? `${written(step.message)} at ${step.index}` : `${step.kind} ${step.index}`;
  });
  expect(words.join(', ')).toBe(expected);
});
