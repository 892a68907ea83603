import { render } from 'preact';
import './styles/base.css';
import './styles/shell.css';
import './styles/list.css';
import './styles/details.css';
import './styles/texts.css';
import { readEvents } from './server/event-stream.js';
import { redeemCode, takeToken } from './server/token.js';
import { App } from './shell/app.js';
import { startTheme } from './shell/theme.js';
import { keepAddress } from './state/keep-address.js';
import { access } from './state/page-state.js';

startTheme();
void start();

async function start(): Promise<void> {
  await redeemCode();
  const token = takeToken();
  keepAddress();
  if (token === undefined) access.value = 'no-token';
  else void readEvents();
  const page = document.getElementById('page') as HTMLElement;
  page.replaceChildren();
  render(<App />, page);
}
