import { useMediaQuery } from '@mantine/hooks'
import { createStore, useStore } from '../store.ts'

/** Up to here the rail is a drawer over the page. */
const DRAWER = '(max-width: 1100px)'
/** Up to here it is a sheet from below. */
const SHEET = '(max-width: 600px)'

/** Beside the page the rail is there unless folded; as a drawer it is not there unless opened. */
const folded = createStore(false)
const drawn = createStore(false)

type RailState = { kind: 'beside' | 'drawer' | 'sheet'; open: boolean; toggle: () => void }

/** Takes the drawer away. */
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
