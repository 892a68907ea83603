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
