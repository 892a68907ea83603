import { attachClientToolSearchExecutor, getClientToolSearchExecutor, type HostedTool, type Tool } from '../agents-sdk.js';
import { keyFields } from '../run-keys.js';
import { hookApplyPatchTool } from './apply-patch-tool.js';
import { hookFunctionTool } from './function-tool.js';
import { hookShellTool } from './shell-tool.js';
import type { ToolOwner } from './tool-host.js';

/**
 * Returns the tool that asks the hooks before the tool of the app runs. It is a copy with all symbols of the original, because the SDK keeps
 * facts under them. Each run has copies of its own, which are kept for its next turns.
 */
export async function hookTool(owner: ToolOwner, tool: Tool): Promise<Tool> {
  const copies = owner.host.copies.of(owner.runContext);
  const kept = copies.get(tool);
  if (kept !== undefined) return kept;
  const copy = await copyTool(owner, tool);
  copies.set(tool, copy);
  // A tool that is a copy already stays as it is.
  copies.set(copy, copy);
  return copy;
}

async function copyTool(owner: ToolOwner, tool: Tool): Promise<Tool> {
  const { host } = owner;
  switch (tool.type) {
    case 'function':
      return hookFunctionTool(host, tool, keyFields(owner, tool));
    case 'shell':
      if (tool.shell !== undefined) return hookShellTool(owner, tool, tool.shell);
      break;
    case 'apply_patch':
      return hookApplyPatchTool(owner, tool);
    case 'hosted_tool':
      if (getClientToolSearchExecutor(tool) !== undefined) return hookToolSearch(owner, tool);
      // Without a function, a search only finds tools that the agent has already.
      if (tool.providerData?.['type'] === 'tool_search') return tool;
      break;
  }
  host.tellUngated(tool.name);
  return tool;
}

/** Hooks the tools that a search of the app finds, because the SDK adds them to the tools of the agent. */
function hookToolSearch(owner: ToolOwner, tool: HostedTool): HostedTool {
  const search = getClientToolSearchExecutor(tool)!;
  return attachClientToolSearchExecutor({ ...tool }, async (...args) => {
    const found = await search(...args);
    if (Array.isArray(found)) return Promise.all(found.map((each) => hookTool(owner, each as Tool)));
    return found ? hookTool(owner, found as Tool) : found;
  });
}
