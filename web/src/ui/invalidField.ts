/** The first field in here that shows an error; null if there is none. */
export const invalidField = (place: HTMLElement | null): HTMLElement | null =>
  place?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null

/** Focuses the first field that shows an error; returns whether there was one. */
export function focusInvalidField(place: HTMLElement | null): boolean {
  const field = invalidField(place)
  field?.focus()
  return field !== null
}
