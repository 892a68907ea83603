import { decoded } from './invented-format.js';

const example = '{"say":{"verdict":"deny"}}';

test.each(['deny', 'Block', 'ask\n'])('a text that is only the word %j is a warning', (stdout) => {
  expect(decoded({ stdout }).warnings).toEqual([
    {
      code: 'decision_in_text',
      message: `stdout is only the word "${stdout.trim()}", which decides nothing; it was read as text. To deny, print ${example}, or exit with 2.`,
    },
  ]);
});

test.each(['allow', 'deny it', 'done'])('the text %j is not', (stdout) => {
  expect(decoded({ stdout }).warnings).toEqual([]);
});

test.each(["{'verdict': 'deny'}", '{"verdict":"deny",}'])('broken JSON such as %s has a remedy', (stdout) => {
  expect(decoded({ stdout }).warnings).toMatchObject([
    { code: 'invalid_json', message: expect.stringContaining('a decision in it is ignored. Create the object with jq or json.dumps.') },
  ]);
});

test.each([1, 3, 5, 255])('exit code %i may be meant as a deny', (exitCode) => {
  expect(decoded({ exitCode, stderr: 'no' }).failure?.message).toContain(`exit code ${exitCode} and is ignored. Exit with 2 to deny.`);
});

test('an exit code after a signal is not meant as one', () => {
  expect(decoded({ exitCode: 137 }).failure?.message).not.toContain('Exit with 2');
});
