import { Outlet } from '@tanstack/react-router'
import { SkipLink } from './SkipLink.tsx'

/** Around every page. */
export function Root() {
  return (
    <>
      <SkipLink />
      <Outlet />
    </>
  )
}
