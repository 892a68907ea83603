import { access } from '../state/page-state.js';

/** What is shown instead of the page while the server does not let this tab in. */
export function Entrance() {
  return (
    <main id="main" class="entrance">
      <h1>{access.value === 'refused' ? 'This address is no longer valid' : 'This tab has no token'}</h1>
      <p>
        {access.value === 'refused'
          ? 'The inspector that this tab belongs to has ended, or was started again.'
          : 'The inspector shows its page only to tabs that were opened with its token.'}
      </p>
      <p>
        To get a token, run <code>tenterhook inspect</code> in a terminal. It opens a page with a token. If no browser opens, it prints the
        path of a file. Open this file in a browser of the same machine.
      </p>
    </main>
  );
}
