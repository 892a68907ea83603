import { startMenu } from './menu.js';
import { startSearch } from './search-box.js';
import { applyTheme, startThemeButton } from './theme.js';

// Runs in the head, before the page is drawn, so that the chosen colours do not appear after the others.
applyTheme();
document.addEventListener('DOMContentLoaded', () => {
  startThemeButton();
  startMenu();
  startSearch();
});
