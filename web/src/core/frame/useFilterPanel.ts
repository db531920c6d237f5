import { useMediaQuery } from '@mantine/hooks'
import { createStore, useStore } from '../store.ts'

/** Up to this width the filter panel is a drawer. */
const DRAWER_QUERY = '(max-width: 1100px)'
/** Up to this width it is a bottom sheet. */
const SHEET_QUERY = '(max-width: 600px)'

/** Beside the page the panel is open unless collapsed; as a drawer it is closed unless opened. */
const collapsed = createStore(false)
const drawerOpen = createStore(false)

type FilterPanelState = { kind: 'beside' | 'drawer' | 'sheet'; open: boolean; toggle: () => void }

/** Closes the drawer. */
export const closeFilterPanel = (): void => drawerOpen.set(false)

export function useFilterPanel(): FilterPanelState {
  const isCollapsed = useStore(collapsed)
  const isDrawerOpen = useStore(drawerOpen)
  const isDrawer = useMediaQuery(DRAWER_QUERY, false, { getInitialValueInEffect: false })
  const isSheet = useMediaQuery(SHEET_QUERY, false, { getInitialValueInEffect: false })
  return {
    kind: isSheet ? 'sheet' : isDrawer ? 'drawer' : 'beside',
    open: isDrawer ? isDrawerOpen : !isCollapsed,
    toggle: () => (isDrawer ? drawerOpen : collapsed).set((current) => !current),
  }
}
