import type { OtherTools } from '../../shared/tools/other-tools.js';
import type { ToolTable } from '../../shared/tools/tool-table.js';

/**
 * Cursor's names for each kind of tool. Cursor writes and changes files with one tool, and finds and searches with another one, whose
 * arguments keep the host's keys. It names no tools that list folders or read from the web.
 */
export const cursorTools: ToolTable = {
  shell: { names: ['Shell'], keys: { command: ['command'], description: ['description'] } },
  read: { names: ['Read'], keys: { file: ['file_path'], offset: ['offset'], limit: ['limit'] } },
  'read-many': { names: ['Read'] },
  write: { names: ['Write'], keys: { file: ['file_path'], content: ['content'] } },
  edit: { names: ['Write'], keys: { file: ['file_path'], 'old-text': ['old_string'], 'new-text': ['new_string'] } },
  find: { names: ['Grep'] },
  search: { names: ['Grep'] },
  subagent: { names: ['Task'] },
};

/**
 * Tools of Cursor that do the work of a canonical tool, and other names of tools in some versions. A guard of files must see a deleted file,
 * so its deletion is a write of nothing.
 */
export const otherTools: OtherTools = {
  Delete: { as: 'write_file', derived: () => ({ content: '', deleted: true }) },
  ReadFile: 'read_file',
  StrReplace: 'replace',
  EditNotebook: { as: 'replace', keys: { target_notebook: 'file_path' } },
};

/** Every name that a matcher may use for one of Cursor's own tools. */
export const knownToolNames: readonly string[] = [
  ...new Set([...Object.values(cursorTools).flatMap(({ names }) => [...names]), 'Delete', 'ReadFile']),
];
