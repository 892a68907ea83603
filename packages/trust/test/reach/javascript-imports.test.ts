import { blockingWork } from '../../../../test/support/blocking-work.js';
import { readJavaScript } from '../../src/reach/languages/javascript.js';

test.each([
  'import x from "./a.js";\n',
  'import "./a.js"\n',
  "export * from './a.js';\n",
  "const x = require('./a.js');\n",
  'const x = require ( "./a.js" ) + "b";\n',
  'await import(`./a.js`, { with: {} });\n',
  "require.resolve('./a.js');\n",
])('the module of %j is known', (text) => {
  expect(readJavaScript(text)).toEqual({ paths: ['./a.js'], open: [] });
});

test.each([
  'require("./a" + ".js");\n',
  'import(`./a`.concat(".js"));\n',
  'require("./a\\\n.js");\n',
  'import x from "./a\\\r\n.js";\n',
  'require(`./a\n.js`);\n',
  'require.resolve("./a" + ".js");\n',
])('the module of %j is not known', (text) => {
  expect(readJavaScript(text).open).toContain('It loads modules by name.');
});

test('a module is found after the beginning of an import in a string', () => {
  expect(readJavaScript(`const s = "import 'fs/"; require('./a.js');\n`)).toEqual({ paths: ['./a.js'], open: [] });
});

const long = (part: string) => part.repeat((512 * 1024) / part.length);

test.each([
  ['blanks', `import${long(' ')}x`],
  ['modules without an end', long(`from'from"from\``)],
])('the time for a program does not grow with the square of its %s', async (_, text) => {
  expect((await blockingWork(() => readJavaScript(text))).paths).toEqual([]);
});
