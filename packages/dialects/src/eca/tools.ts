import { canonicalTools } from '../shared/tools/canonical-tools.js';
import { namesElsewhere, type ToolTable } from '../shared/tools/tool-table.js';

/**
 * ECA's tools (decision 56). `directory_tree` is the nearest to a listing that ECA has. Only files and command lines have keys of ECA's own here:
 * all others are passed as the host names them.
 */
export const ecaTools: ToolTable = {
  shell: { names: ['shell_command'], keys: { command: ['command'] } },
  read: { names: ['read_file'], keys: { file: ['path'] } },
  write: { names: ['write_file'], keys: { file: ['path'] } },
  edit: { names: ['edit_file'], keys: { file: ['path'] } },
  list: { names: ['directory_tree'], keys: { file: ['path'] } },
  search: { names: ['grep'], keys: { file: ['path'] } },
  subagent: { names: ['spawn_agent'] },
  question: { names: ['ask_user'] },
};

/** What Claude Code and its kin call these tools: matchers are brought along from there. */
const elsewhere: ToolTable = {
  shell: { names: ['Bash', 'Shell'] },
  read: { names: ['Read'] },
  write: { names: ['Write'] },
  edit: { names: ['Edit', 'MultiEdit'] },
  list: { names: ['LS'] },
  search: { names: ['Grep'] },
  subagent: { names: ['Agent', 'Task'] },
};

/** What a matcher has to say to mean a tool, given a name of it without a server: ECA's own, where it is one of ECA's under any name. */
export function matcherOfName(name: string): string {
  if (name === 'eca') return 'eca__.*';
  const bare = name.replace(/^eca_/, '');
  const [known] = [elsewhere, canonicalTools, ecaTools].flatMap((table) => namesElsewhere(bare, table, ecaTools));
  if (known !== undefined) return `eca__${known}`;
  return bare !== name ? `eca__${bare}` : `.*__${name}`;
}
