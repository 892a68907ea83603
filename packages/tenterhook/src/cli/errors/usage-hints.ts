/**
 * Words that users type for a command with another name, e.g. `run` for `fire`. Suggesting the command with the most similar letters would
 * be wrong for these words.
 */
const otherCommands: Readonly<Record<string, string>> = {
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
  compare: 'diff',
  play: 'replay',
  convert: 'migrate',
  import: 'migrate',
};

const fields = 'The fields of the event are the value of --input, for example --input \'{"tool_name":"write_file","tool_input":{}}\'.';

/**
 * Adds advice about what to write instead to a message of Commander about wrong usage. `words` are the words of the command line. Returns
 * the lines of the message.
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
  if (command === 'replay' && option === '--match')
    return '(The requests that replay sends are the recorded ones, so each has its match. An agent under test is matched by replayResponses() of tenterhook/recording.)';
  if (command === 'fire' && ['--tool', '--tool-name', '--tool-input', '--prompt', '--args', '--data', '--json-input'].includes(option))
    return `(${fields})`;
  return undefined;
}
