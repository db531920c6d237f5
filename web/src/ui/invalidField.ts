/** The first field with an error inside `place`; null if none. */
export const invalidField = (place: HTMLElement | null): HTMLElement | null =>
  place?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null

/** Focuses the first field with an error; returns whether there is one. */
export function focusInvalidField(place: HTMLElement | null): boolean {
  const field = invalidField(place)
  field?.focus()
  return field !== null
}
