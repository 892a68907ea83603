// The only module that imports jsonc-parser.
export { applyEdits, type Edit, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
