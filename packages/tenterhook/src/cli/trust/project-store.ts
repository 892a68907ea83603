import { openTrustStore, type TrustStore } from '@tenterhook/trust';
import { dialectContext } from '../../settings/discover/dialect-context.js';
import type { CommandContext } from '../context.js';

/** Returns the store of a project whose hooks are not read: its directory may be gone. */
export function storeOf(projectDir: string, { env }: CommandContext): TrustStore {
  const { home, environment } = dialectContext(projectDir, env);
  return openTrustStore({ projectDir, home: home === '' ? undefined : home, environment, platform: process.platform });
}
