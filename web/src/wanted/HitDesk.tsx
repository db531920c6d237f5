import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePinnedWanted } from '../core/arrivals.ts'
import { lazyPart } from '../core/lazyPage.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { HitAnnouncer } from './HitAnnouncer.tsx'
import { HitToasts } from './HitToasts.tsx'
import {
  firstOf,
  hitSheetNow,
  needsAttention,
  openHitSheet,
  openHitsNow,
  useHitSheet,
  useOpenHits,
} from './openHits.ts'

// Loaded when first opened.
const HitSheet = lazyPart('HitSheet', () => import('./HitSheet.tsx'), { Wrapper: () => null })

function openFirst() {
  const hits = openHitsNow().filter(needsAttention)
  const shown = hitSheetNow()
  // The next one, if the sheet of the first is open.
  const first = firstOf(hits.filter((hit) => shown === null || vehicleKey(hit) !== vehicleKey(shown))) ?? hits[0]
  if (first) openHitSheet(first)
}

/** On every page while there are open hits, or the sheet of one: announcements, toasts, keys, and the sheet. */
export function HitDesk() {
  const { t } = useTranslation('wanted')
  const sheet = useHitSheet()
  const hasHits = useOpenHits().some(needsAttention)
  // On the live list H goes to the vehicle at its top.
  const isPinned = usePinnedWanted().length > 0
  useShortcuts(hasHits && !isPinned ? [{ key: 'h', label: t('open-hit'), run: openFirst }] : [])
  useEffect(() => {
    // Also while a field has the focus.
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyH') return
      event.preventDefault()
      openFirst()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <HitAnnouncer />
      <HitToasts />
      {sheet && <HitSheet key={`${sheet.id}@${sheet.createdAt}`} hitRef={sheet} />}
    </>
  )
}
