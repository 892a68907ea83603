const { extractStatements, hashOf } = (await import('../../scripts/seed-statements/extract.mjs' as string)) as {
  extractStatements: (seed: string, text: string) => { id: string; seed: string; section: string; label: string; hash: string }[];
  hashOf: (text: string) => string;
};

const idsOf = (seed: string, text: string) => extractStatements(seed, text).map(({ id }) => id);

const api = `# Reference
interface Plate {
  /** How wide; in inches, {roughly}. */
  width?: number;

  rim: Array<{
    colour: string; // red, or not
  }>;
  wash(options: { hot: boolean }): void;
}
interface Bowl extends Plate {
  [depth: string]: number;
}
enum Size {
  Small = 'Small',
  Large = 'Large',
}
type Answer = 'yes' | 'no' | undefined;

## Exit Codes

| Code | Constant |
| ---- | -------- |
| 0    | \`FINE\`   |
| 2    | \`BAD\`    |

### OR Decision Logic (some events)

- one rule
- another rule
`;

const specification = `### 3.1 BeforeTool

| Field | Type |
|---|---|
| \`tool_name\` | string |

| Action | Effect |
|---|---|
| **Block it** | none |

### 5.1 Format

\`\`\`
{
  "model": "name",
  "messages": [
    { "role": "user" | "model", "content": "text, more text" }
  ]
}
\`\`\`

## 8. Summary

| Event | Can Block? | Can Stop Agent? |
|---|---|---|
| BeforeTool | Yes | No |

Note: one more thing.

## 9. Errors

| Scenario | Behavior |
|---|---|
| it is off | nothing |
`;

const architecture = `Component Responsibilities

Component Responsibility
HookSystem owns everything
HookRunner runs

Plain Text Fallback

If your hook outputs plain text instead of JSON:

  • Exit 0: fine
  • Exit 1: hm

Variable Description
SOME_DIR a directory

Plus all the rest.
`;

const page = `# Hooks

Hooks are things, useful for this and that.

## Hook Types

| Type | When | Can Modify |
|------|------|------------|
| \`one\` | At first | - |

## Hook Options

- **\`width\`**: How wide; in inches.

## Execution Details

- **Order**: By key. Rewrites chain; updates merge.

## Input / Output

It comes on stdin (top-level keys short). Common fields:

- All hooks: \`a\`
- Late hooks add: \`b\` (before) or \`c\`, \`d\` (after)
- \`one\` adds: \`e\`
- Nothing else

\`\`\`javascript
{
  "x": {"key": "value"},   // of one
  "y": true
}
\`\`\`

Either say no or exit with code \`2\`.

## Examples

=== "Ring a bell"

    \`\`\`javascript title="~/hooks/bell.sh"
    ring | twice
    \`\`\`

    \`\`\`javascript title="~/config.json"
    { "file": "hooks/bell.sh" }
    \`\`\`
`;

test('a declaration has a statement for each member, its nested members and what it extends', () => {
  expect(idsOf('000', api)).toEqual([
    '000/Plate/width',
    '000/Plate/rim',
    '000/Plate/rim/colour',
    '000/Plate/wash',
    '000/Bowl/is-a-Plate',
    '000/Bowl/depth',
    '000/Size/Small',
    '000/Size/Large',
    '000/Answer/yes',
    '000/Answer/no',
    '000/Answer/undefined',
    '000/exit-codes/0',
    '000/exit-codes/2',
    '000/aggregation/or-decision/deny',
    '000/aggregation/or-decision/messages',
  ]);
});

test('a table has a statement for each row, the wide one for each cell, and a sketch for each field', () => {
  expect(idsOf('001', specification)).toEqual([
    '001/3.1/input/tool_name',
    '001/3.1/action/block-it',
    '001/5.1/model',
    '001/5.1/messages',
    '001/5.1/messages/role',
    '001/5.1/messages/content',
    '001/8/BeforeTool/can-block',
    '001/8/BeforeTool/can-stop-agent',
    '001/8/BeforeToolSelection/note',
    '001/9/switched-off',
  ]);
});

test('plain text has a statement for each line below the header of a table', () => {
  expect(idsOf('003', architecture)).toEqual([
    '003/components/HookSystem',
    '003/components/HookRunner',
    '003/plain-text/exit-0',
    '003/plain-text/exit-1',
    '003/environment/SOME_DIR',
    '003/environment/parent',
  ]);
});

test("ECA's page has a statement for each cell, option, sentence, field and example", () => {
  expect(idsOf('004', page)).toEqual([
    '004/hooks/shell-actions',
    '004/hook-types/one/when',
    '004/hook-types/one/can-modify',
    '004/hook-options/width',
    '004/execution-details/order',
    '004/execution-details/prompt-rewrites',
    '004/execution-details/argument-updates',
    '004/input-output/stdin',
    '004/input-output/case',
    '004/input-output/stdout',
    '004/input-output/plain-text',
    '004/input/all-hooks/a',
    '004/input/late-hooks/b',
    '004/input/late-hooks/c',
    '004/input/late-hooks/d',
    '004/input/one/e',
    '004/input/nothing-else',
    '004/output/x',
    '004/output/y',
    '004/examples/ring-a-bell/bell.sh',
    '004/examples/ring-a-bell/config.json',
  ]);
});

test("an example is its block and the file that it names, a field of ECA's hooks what is said of it", () => {
  const hashIn = (text: string, id: string) => extractStatements('004', text).find((statement) => statement.id === id)?.hash;
  expect(hashIn(page, '004/examples/ring-a-bell/bell.sh')).toBe(hashOf('~/hooks/bell.sh ring | twice'));
  const [b, c] = ['004/input/late-hooks/b', '004/input/late-hooks/c'];
  const changed = page.replace('(before)', '(after)');
  expect(hashIn(changed, b)).not.toBe(hashIn(page, b));
  expect(hashIn(changed, c)).toBe(hashIn(page, c));
});

test('a row that has no name yet is still a statement', () => {
  const added = specification.replace('| it is off | nothing |\n', (row) => row + '| and more | of it |\n'.repeat(13));
  expect(idsOf('001', added).at(-1)).toBe('001/9/14');
});

test('the hash is that of the text without its white space, so that a table may be laid out anew and not reworded', () => {
  expect(hashOf('| a   |\tb |\n')).toBe(hashOf('| a | b |'));
  expect(hashOf('| a | b |')).not.toBe(hashOf('| a | c |'));
  const statementOf = (text: string) => extractStatements('001', text).find(({ id }) => id === '001/3.1/input/tool_name')?.hash;
  expect(statementOf(specification.replace('| string', '|   string'))).toBe(statementOf(specification));
  expect(statementOf(specification.replace('| string', '| number'))).not.toBe(statementOf(specification));
});

test('a comment belongs to the member it stands at, and its text counts', () => {
  const hashOfWidth = (text: string) => extractStatements('000', text).find(({ id }) => id === '000/Plate/width')?.hash;
  expect(hashOfWidth(api.replace('inches', 'metres'))).not.toBe(hashOfWidth(api));
});
