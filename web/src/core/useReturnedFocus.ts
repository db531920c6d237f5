import { useEffect, useState } from 'react'

/** Returns the focus to where it was, for a dialog that is removed with its answer instead of being closed. */
export function useReturnedFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => void (before instanceof HTMLElement && before.focus()), [before])
}
