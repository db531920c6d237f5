import { lazyPart } from '../core/lazyPage.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { HitAnnouncer } from './HitAnnouncer.tsx'
import { HitToasts } from './HitToasts.tsx'
import { useHitSheet } from './openHits.ts'

// Loaded when first opened.
const HitSheet = lazyPart('HitSheet', () => import('./HitSheet.tsx'), { Wrapper: () => null })

/** On every page while there are open hits, or the sheet of one: announcements, toasts and the sheet. */
export function HitDesk() {
  const sheet = useHitSheet()
  return (
    <>
      <HitAnnouncer />
      <HitToasts />
      {sheet && <HitSheet key={vehicleKey(sheet)} hitRef={sheet} />}
    </>
  )
}
