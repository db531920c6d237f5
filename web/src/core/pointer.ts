let last: { event: MouseEvent; moved: boolean } | null = null

/** Whether the pointer itself moved: browsers report a movement also where the page moves under a pointer that lies still. */
export function hasMoved(event: MouseEvent): boolean {
  if (last?.event !== event) {
    const { screenX, screenY } = last?.event ?? {}
    last = { event, moved: event.screenX !== screenX || event.screenY !== screenY }
  }
  return last.moved
}

/** Follows the pointer from the first page on: nothing is known of it before its first event. */
export const startPointer = (): void =>
  document.addEventListener('mousemove', hasMoved, { passive: true, capture: true })
