// The one door to jsonc-parser: settings are read by it, and added to.
export { applyEdits, type Edit, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
