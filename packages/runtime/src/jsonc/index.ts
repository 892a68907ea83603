// The only module that imports jsonc-parser. It is used to read settings and to add to them.
export { applyEdits, type Edit, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
