/** The first field with an error inside the container; null if none. */
export const invalidField = (container: HTMLElement | null): HTMLElement | null =>
  container?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null

/** Focuses the first field with an error; returns whether there is one. */
export function focusInvalidField(container: HTMLElement | null): boolean {
  const field = invalidField(container)
  field?.focus()
  return field !== null
}
