import type { AggregatedHookResult, Change } from '@tenterhook/protocol';
import { findInputProblem, type ToolSchema, toRewrittenInput } from '../../src/tool/tool-input.js';

type Issues = readonly { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] }[];

const before = (...changes: Change[]) => ({ changes }) as unknown as AggregatedHookResult;
const wrote = (field: string, hookId = 'h1'): Change => ({ path: `tool_input.${field}`, hookId });
/** Finds these issues in every input, or only in the marked ones. */
const finding = (issues: Issues, where: (input: unknown) => boolean = () => true): ToolSchema => ({
  '~standard': { validate: (input) => (where(input) ? { issues } : {}) },
});
const [original, effective] = [{ is: 'original' }, { is: 'effective' }];
const isEffective = (input: unknown) => input === effective;

test('no schema and no issues are not a problem', async () => {
  expect(await findInputProblem(undefined, { original, effective, isShown: false }, before(wrote('a')))).toBeUndefined();
  expect(await findInputProblem(finding([], isEffective), { original, effective, isShown: false }, undefined)).toBeUndefined();
  expect(
    await findInputProblem({ '~standard': { validate: () => ({}) } }, { original, effective, isShown: false }, undefined),
  ).toBeUndefined();
});

test.each<[string, Issues, Change[], string[]]>([
  ['the hook that wrote the field', [{ message: 'm', path: ['a'] }], [wrote('a', 'h1'), wrote('b', 'h2')], ['h1']],
  ['the hook that wrote into it', [{ message: 'm', path: ['a', 0, 'x'] }], [wrote('a', 'h1')], ['h1']],
  ['all that wrote it', [{ message: 'm', path: ['a'] }], [wrote('a', 'h1'), wrote('a', 'h2')], ['h1', 'h2']],
  [
    'each once',
    [
      { message: 'm', path: ['a'] },
      { message: 'n', path: ['b'] },
    ],
    [wrote('a'), wrote('b')],
    ['h1'],
  ],
  ['paths of objects', [{ message: 'm', path: [{ key: 'a' }] }], [wrote('a')], ['h1']],
  ['keys with a dot', [{ message: 'm', path: ['a.b'] }], [wrote('a.b', 'h1'), wrote('c', 'h2')], ['h1']],
  ['all that rewrote, where the issue has no path', [{ message: 'm' }], [wrote('a', 'h1'), wrote('b', 'h2')], ['h1', 'h2']],
  ['all that rewrote, where no hook wrote the field', [{ message: 'm', path: ['z'] }], [wrote('a', 'h1')], ['h1']],
  ['the hook that wrote the whole', [{ message: 'm', path: ['a'] }], [{ path: 'tool_input', hookId: 'h1' }], ['h1']],
])('to blame is %s', async (_, issues, changes, hooks) => {
  const problem = await findInputProblem(finding(issues, isEffective), { original, effective, isShown: false }, before(...changes));
  expect(problem?.isByHook).toBe(true);
  expect(problem?.reason).toContain(`as rewritten by ${hooks.map((id) => `hook "${id}"`).join(', ')} does not match`);
  for (const id of ['h1', 'h2']) expect(problem?.reason.includes(id)).toBe(hooks.includes(id));
});

test.each<[string, Change[]]>([
  ['no hook rewrote anything', []],
  ['what was rewritten is another field, and the original is not better', [wrote('b')]],
])('no hook is to blame where %s', async (_, changes) => {
  const problem = await findInputProblem(
    finding([{ message: 'm', path: ['a'] }]),
    { original, effective, isShown: false },
    before(...changes),
  );
  expect(problem).toEqual({ isByHook: false, reason: "The input does not match the tool's schema: a: m" });
});

test('an input that had another fault before does not excuse the hook that brought this one', async () => {
  const schema: ToolSchema = {
    '~standard': { validate: (input) => ({ issues: isEffective(input) ? [{ message: 'm' }] : [{ message: 'n', path: ['a'] }] }) },
  };
  const problem = await findInputProblem(schema, { original, effective, isShown: false }, before(wrote('a')));
  expect(problem).toMatchObject({ isByHook: true, reason: expect.stringContaining('hook "h1"') });
});

test('every issue is reported, with its path', async () => {
  const issues = [{ message: 'is missing', path: ['a', 0] }, { message: 'too many' }];
  expect((await findInputProblem(finding(issues), { original, effective, isShown: false }, undefined))?.reason).toMatch(
    /: a\.0: is missing; too many$/,
  );
});

test.each<[string, ToolSchema]>([
  [
    'throws',
    {
      '~standard': {
        validate: () => {
          throw new Error('broken');
        },
      },
    },
  ],
  ['rejects', { '~standard': { validate: () => Promise.reject(new Error('broken')) } }],
  ['is not a schema', {} as ToolSchema],
])('a schema that %s is a problem, and no hook’s', async (_, schema) => {
  const problem = await findInputProblem(schema, { original, effective, isShown: false }, undefined);
  expect(problem).toMatchObject({ isByHook: false, reason: expect.stringContaining('could not be applied') });
});

test('a schema gets a copy of an input that hooks or the user see, and the input itself otherwise', async () => {
  const seen: unknown[] = [];
  const schema: ToolSchema = {
    '~standard': {
      validate: (input) => {
        seen.push(structuredClone(input));
        (input as Record<string, unknown>)['added'] = true;
        return { issues: [{ message: 'm' }] };
      },
    },
  };
  const [shown, unshown] = [{ a: 1 }, { a: 1 }];
  await findInputProblem(schema, { original: shown, effective: shown, isShown: true }, before(wrote('b')));
  expect([shown, seen]).toEqual([{ a: 1 }, [{ a: 1 }, { a: 1 }]]);
  await findInputProblem(schema, { original: unshown, effective: unshown, isShown: false }, undefined);
  expect(unshown).toEqual({ a: 1, added: true });
});

test('a rewrite that is not an object, or not JSON, is refused', () => {
  const rewriting = (tool_input: unknown) => ({ finalOutput: { hookSpecificOutput: { tool_input } } }) as unknown as AggregatedHookResult;
  expect(toRewrittenInput('t', { finalOutput: {} } as AggregatedHookResult)).toBeUndefined();
  expect(toRewrittenInput('t', rewriting({ a: [1] }))).toEqual({ input: { a: [1] } });
  expect(toRewrittenInput('t', rewriting(['a']))).toEqual({ refusal: 't did not run: its rewritten input is not an object.' });
  expect(toRewrittenInput('t', rewriting({ a: new Map() }))?.refusal).toBe(
    't did not run: tool_input.a: A Map cannot be written as JSON. Send a plain object.',
  );
});
