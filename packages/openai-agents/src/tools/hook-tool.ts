import { attachClientToolSearchExecutor, getClientToolSearchExecutor, type HostedTool, type Tool } from '../agents-sdk.js';
import { hookApplyPatchTool } from './apply-patch-tool.js';
import { hookFunctionTool } from './function-tool.js';
import { hookShellTool } from './shell-tool.js';
import type { ToolHost } from './tool-host.js';

/**
 * Returns the tool that asks the hooks before the tool of the app runs. It is a copy with all symbols of the original, because the SDK keeps
 * facts under them. The copy is kept by its original, because the SDK compares functions of a tool between two turns.
 */
export async function hookTool(host: ToolHost, tool: Tool): Promise<Tool> {
  const kept = host.copies.get(tool);
  if (kept !== undefined) return kept;
  const copy = await copyTool(host, tool);
  host.copies.set(tool, copy);
  // A tool that is a copy already stays as it is.
  host.copies.set(copy, copy);
  return copy;
}

async function copyTool(host: ToolHost, tool: Tool): Promise<Tool> {
  switch (tool.type) {
    case 'function':
      return hookFunctionTool(host, tool);
    case 'shell':
      if (tool.shell !== undefined) return hookShellTool(host, tool, tool.shell);
      break;
    case 'apply_patch':
      return hookApplyPatchTool(host, tool);
    case 'hosted_tool':
      if (getClientToolSearchExecutor(tool) !== undefined) return hookToolSearch(host, tool);
      // Without a function, a search only finds tools that the agent has already.
      if (tool.providerData?.['type'] === 'tool_search') return tool;
      break;
  }
  host.tellUngated(tool.name);
  return tool;
}

/** Hooks the tools that a search of the app finds, because the SDK adds them to the tools of the agent. */
function hookToolSearch(host: ToolHost, tool: HostedTool): HostedTool {
  const search = getClientToolSearchExecutor(tool)!;
  return attachClientToolSearchExecutor({ ...tool }, async (...args) => {
    const found = await search(...args);
    if (Array.isArray(found)) return Promise.all(found.map((each) => hookTool(host, each as Tool)));
    return found ? hookTool(host, found as Tool) : found;
  });
}
