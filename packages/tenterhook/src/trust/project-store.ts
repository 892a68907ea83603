import type { DialectContext } from '@tenterhook/protocol';
import { openTrustStore, type TrustStore } from '@tenterhook/trust';

/** Opens the decisions about the hooks of a project. @default directory the state directory of this user */
export function openProjectStore({ projectDir, home, environment }: DialectContext, directory?: string): TrustStore {
  return openTrustStore({
    projectDir,
    home: home === '' ? undefined : home,
    environment,
    platform: process.platform,
    ...(directory === undefined ? {} : { directory }),
  });
}
