// The only module that imports jsonc-parser. It is used to read settings files and to insert into them.
export { applyEdits, type Edit, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
