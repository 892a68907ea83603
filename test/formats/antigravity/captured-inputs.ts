import { type CapturedInput, type CapturedRow, captured } from '../../support/captured-inputs.js';

/** One input of every event. `cwd`: the project in which the event is fired. */
export function capturedInputs(cwd: string): CapturedInput[] {
  return captured(rows, () => ({
    conversationId: 's1',
    workspacePaths: [cwd],
    transcriptPath: '/srv/brain/s1/transcript.jsonl',
    artifactDirectoryPath: '/srv/brain/s1',
    modelName: 'Gemini 3 Pro',
  }));
}

const shell = { toolCall: { name: 'run_command', args: { CommandLine: 'npm test', Cwd: '/srv' } }, stepIdx: 4 };
const write = { toolCall: { name: 'write_to_file', args: { TargetFile: '/srv/a.txt', CodeContent: 'x', Overwrite: true } }, stepIdx: 6 };
const edit = {
  toolCall: { name: 'replace_file_content', args: { TargetFile: '/srv/a.txt', TargetContent: 'x', ReplacementContent: 'y' } },
  stepIdx: 8,
};
const mcp = { toolCall: { name: 'call_mcp_tool', args: { ServerName: 'gh', ToolName: 'search', Arguments: { q: 'x' } } }, stepIdx: 9 };

const rows: readonly CapturedRow[] = [
  ['PreToolUse', 'BeforeTool', shell],
  ['PreToolUse', 'BeforeTool', write],
  ['PreToolUse', 'BeforeTool', edit],
  ['PreToolUse', 'BeforeTool', { toolCall: { name: 'view_file', args: { AbsolutePath: '/srv/a.txt' } }, stepIdx: 2 }],
  ['PreToolUse', 'BeforeTool', mcp],
  ['PostToolUse', 'AfterTool', { ...shell, error: '' }],
  ['PostToolUse', 'AfterTool', { ...edit, error: 'broken' }],
  // A step that is not a call of a tool.
  ['PostToolUse', 'AfterTool', { toolCall: null, stepIdx: 11, error: '' }, { toolCall: { name: 'unknown', args: {} } }],
  ['PreInvocation', 'BeforeModel', { invocationNum: 0, initialNumSteps: 3 }],
  ['PostInvocation', 'AfterModel', { invocationNum: 1, initialNumSteps: 5 }],
  ['Stop', 'AfterAgent', { executionNum: 1, terminationReason: 'NO_TOOL_CALL', error: '', fullyIdle: true }],
  ['Stop', 'AfterAgent', { executionNum: 2, terminationReason: 'ERROR', error: 'quota', fullyIdle: false }],
  ['SessionStart', 'SessionStart', {}],
];
