import { connectionWords } from '../state/apply-lines.js';
import { access, connection } from '../state/page-state.js';

/** What is shown until the server has answered for the first time. */
export function Beginning() {
  return (
    <main id="main" class="entrance">
      <p class="note" data-state={connection.value.state}>
        {connectionWords[connection.value.state]} …
      </p>
    </main>
  );
}

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
        address of a file. Open this address in a browser of the same machine.
      </p>
    </main>
  );
}
