import type { ClaudeRuns } from '@tenterhook/dialects/internal';
import { type CommandVariables, portableCommand, projectVariable, shellWord } from '../portable/command-text.js';

/** A command in portable words. */
export interface CommandText extends CommandVariables {
  readonly env: Readonly<Record<string, string>>;
}

const own = 'CLAUDE_PROJECT_DIR';
const pluginRoot = 'CLAUDE_PLUGIN_ROOT';
const placeholder = /(\$\{(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\})/;

/** `root` is the plugin's directory, which no other settings know: the command is given it as a variable. */
export function commandText(command: Extract<ClaudeRuns, { kind: 'command' }>['command'], root: string | undefined): CommandText {
  const text = command.kind === 'shell' ? command.text : [command.file, ...command.args].map(wordWithPlaceholders).join(' ');
  const isOfPlugin = root !== undefined && new RegExp(`\\b${pluginRoot}\\b`).test(text);
  return { ...portableCommand(text, [own, projectVariable]), env: isOfPlugin ? { [pluginRoot]: root } : {} };
}

/** Without a shell, `${NAME}` is filled in as text; in a shell, it stands in double quotes. */
function wordWithPlaceholders(word: string): string {
  const parts = word.split(placeholder).filter((part) => part !== '');
  return parts.length === 0 ? "''" : parts.map((part) => (placeholder.test(part) ? `"${part}"` : shellWord(part))).join('');
}
