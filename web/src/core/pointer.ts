let last: { event: MouseEvent; moved: boolean } | null = null

/** Whether the pointer really moved: browsers also report movement when the page scrolls under it. */
export function hasMoved(event: MouseEvent): boolean {
  if (last?.event !== event) {
    const { screenX, screenY } = last?.event ?? {}
    last = { event, moved: event.screenX !== screenX || event.screenY !== screenY }
  }
  return last.moved
}

/** Tracks the pointer from the start, as its position is unknown before the first event. */
export const startPointer = (): void =>
  document.addEventListener('mousemove', hasMoved, { passive: true, capture: true })
