import { dialectContext } from '../../../settings/discover/dialect-context.js';
import type { CommandContext } from '../../context.js';
import { trust } from '../trust.js';
import { findGuards } from './guards.js';
import { projectOf } from './project.js';

export interface RelayTrustFlags {
  readonly cwd?: string;
  readonly json?: boolean;
}

/**
 * Asks which guards of a project may run: those in the settings of all agents, those of the project's list, and guards of the user that run
 * files of the project.
 */
export async function relayTrust(directory: string | undefined, { cwd, json }: RelayTrustFlags, context: CommandContext): Promise<number> {
  const projectDir = projectOf(directory ?? cwd, context);
  const { guards } = await findGuards('', { ...dialectContext(projectDir, context.env), projectDir });
  return trust(undefined, { cwd: projectDir, guards, ...(json === true ? { json } : {}) }, context);
}
