import { useMediaQuery } from '@mantine/hooks'
import { createStore, useStore } from '../store.ts'

/** Up to this width the filter panel is a drawer. */
const DRAWER = '(max-width: 1100px)'
/** Up to this width it is a bottom sheet. */
const SHEET = '(max-width: 600px)'

/** Beside the page the panel is open unless collapsed; as a drawer it is closed unless opened. */
const folded = createStore(false)
const drawn = createStore(false)

type RailState = { kind: 'beside' | 'drawer' | 'sheet'; open: boolean; toggle: () => void }

/** Closes the drawer. */
export const closeRail = (): void => drawn.set(false)

export function useRail(): RailState {
  const isFolded = useStore(folded)
  const isDrawn = useStore(drawn)
  const overPage = useMediaQuery(DRAWER, false, { getInitialValueInEffect: false })
  const fromBelow = useMediaQuery(SHEET, false, { getInitialValueInEffect: false })
  return {
    kind: fromBelow ? 'sheet' : overPage ? 'drawer' : 'beside',
    open: overPage ? isDrawn : !isFolded,
    toggle: () => (overPage ? drawn : folded).set((now) => !now),
  }
}
