/** Exit codes of a command hook as seed 000 names them. What they mean is up to the hook's dialect; these are the native one's words. */

/** The hook ran; its stdout is its answer. */
export const EXIT_CODE_SUCCESS = 0;

/** The hook failed; a warning, the operation goes on (fail-open). */
export const EXIT_CODE_NON_BLOCKING_ERROR = 1;

/** The operation is blocked, whatever stdout says (decision 3). */
export const EXIT_CODE_BLOCKING_ERROR = 2;
