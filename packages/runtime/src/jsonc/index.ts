// The only module that imports jsonc-parser. Used to read settings files and to insert into them.
export { applyEdits, type Edit, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
