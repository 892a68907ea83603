import { effect, signal } from '@preact/signals';
import { readStored, writeStored } from '../state/stored-text.js';

/** The colours of the page. `system` follows the system. */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

const key = 'tenterhook-theme';

export const theme = signal<Theme>('system');

/** Applies the theme that was chosen before, and each later choice. */
export function startTheme(): void {
  const stored = readStored('localStorage', key);
  theme.value = themes.find((one) => one === stored) ?? 'system';
  effect(() => {
    const chosen = theme.value;
    if (chosen === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
    writeStored('localStorage', key, chosen);
  });
}
