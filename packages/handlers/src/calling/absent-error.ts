/** Thrown by a call that another one cannot mend: there is nobody who could be called. */
export class AbsentError extends Error {
  static {
    AbsentError.prototype.name = 'AbsentError';
  }
}
