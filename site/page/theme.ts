import { element } from './elements.js';

/** `system` follows the setting of the reader's system. */
type Theme = 'system' | 'light' | 'dark';

const key = 'tenterhook-theme';
const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Shows the button that changes the colours. It needs this script, so without it there is no button. */
export function startThemeButton(): void {
  const button = element<HTMLButtonElement>('button.theme');
  const show = () => {
    button.textContent = `Theme: ${chosenTheme()}`;
  };
  button.addEventListener('click', () => {
    remember(next[chosenTheme()]);
    applyTheme();
    show();
  });
  show();
  button.hidden = false;
}

let chosen: Theme | undefined;

function chosenTheme(): Theme {
  chosen ??= rememberedTheme();
  return chosen;
}

/** A browser can forbid storage. The choice is then that of one page. */
function rememberedTheme(): Theme {
  try {
    const theme = localStorage.getItem(key);
    return theme === 'light' || theme === 'dark' ? theme : 'system';
  } catch {
    return 'system';
  }
}

function remember(theme: Theme): void {
  chosen = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // See rememberedTheme().
  }
}
