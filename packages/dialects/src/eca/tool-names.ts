/** ECA's names for the tools of LLxprt and Gemini CLI (decision 56). `directory_tree` is the nearest to a listing that ECA has. */
export const ecaTools: Readonly<Record<string, string>> = {
  run_shell_command: 'shell_command',
  read_file: 'read_file',
  write_file: 'write_file',
  replace: 'edit_file',
  list_directory: 'directory_tree',
  grep_search: 'grep',
  invoke_agent: 'spawn_agent',
  ask_user: 'ask_user',
};

/** What Claude Code and its kin call these tools: matchers are brought along from there. */
const elsewhere: Readonly<Record<string, string>> = {
  Bash: 'shell_command',
  Shell: 'shell_command',
  Read: 'read_file',
  Write: 'write_file',
  Edit: 'edit_file',
  MultiEdit: 'edit_file',
  LS: 'directory_tree',
  Grep: 'grep',
  Task: 'spawn_agent',
};

/** What a matcher has to say to mean a tool, given a name of it without a server: ECA's own, where it is one of ECA's under any name. */
export function matcherOfName(name: string): string {
  if (name === 'eca') return 'eca__.*';
  const bare = name.replace(/^eca_/, '');
  const known = [elsewhere, ecaTools].find((table) => Object.hasOwn(table, bare))?.[bare];
  if (known !== undefined) return `eca__${known}`;
  return Object.values(ecaTools).includes(bare) || bare !== name ? `eca__${bare}` : `.*__${name}`;
}
