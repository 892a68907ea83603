/** Other names by which users look for our commands. A suggestion by similar letters would name a wrong command for them. */
const otherCommands: Readonly<Record<string, string>> = {
  test: 'fire',
  run: 'fire',
  try: 'fire',
  emit: 'fire',
  check: 'validate',
  lint: 'validate',
  verify: 'validate',
  doctor: 'validate',
  show: 'list',
  ls: 'list',
  hooks: 'list',
  why: 'explain',
  convert: 'migrate',
  import: 'migrate',
};

const fields = 'The fields of the event are the value of --input, for example --input \'{"tool_name":"write_file","tool_input":{}}\'.';

/**
 * Takes a message of commander about wrong usage, and adds advice about what to write instead. `words` are the words of the command line.
 * Returns the lines of the message.
 */
export function explainUsage(message: string, words: readonly string[]): readonly string[] {
  const text = message.trimEnd();
  const at = text.lastIndexOf('\n(Did you mean ');
  const [what, suggestion] = at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  const hint = hintFor(what, words[0]) ?? suggestion;
  return hint === undefined ? [what] : [what, hint];
}

function hintFor(what: string, command: string | undefined): string | undefined {
  const [, unknown = ''] = /unknown command '(\w+)'/.exec(what) ?? [];
  if (Object.hasOwn(otherCommands, unknown)) return `(Did you mean ${otherCommands[unknown]}?)`;
  if (command === 'fire' && /too many arguments for 'fire'/.test(what)) return `(${fields})`;
  const [, option = ''] = /unknown option '(--?[\w-]+)/.exec(what) ?? [];
  if (option === '--event') return `(The event is an argument: tenterhook ${command} BeforeTool.)`;
  if (command === 'fire' && ['--tool', '--tool-name', '--tool-input', '--prompt', '--args', '--data', '--json-input'].includes(option))
    return `(${fields})`;
  return undefined;
}
