/** Moves the focus to the list of events. */
export function focusGrid(): void {
  document.getElementById('events-grid')?.focus({ preventScroll: true });
}

export function focusFilter(): void {
  const field = document.getElementById('filter') as HTMLInputElement | null;
  field?.focus();
  field?.select();
}
