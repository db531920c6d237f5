import { Outlet } from '@tanstack/react-router'
import { isWallScreen } from '../wallScreen.ts'
import css from './Root.module.css'
import { SkipLink } from './SkipLink.tsx'
import { usePageFocus } from './usePageFocus.ts'

/** Wraps every page. */
export function Root() {
  const region = usePageFocus()
  return (
    <>
      {!isWallScreen() && <SkipLink />}
      <Outlet />
      <div ref={region} className={css.announcer} aria-live="polite" />
    </>
  )
}
