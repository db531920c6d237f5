import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePinnedWanted } from '../core/arrivals.ts'
import { lazyPart } from '../core/lazyPage.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { HitAnnouncer } from './HitAnnouncer.tsx'
import { HitToasts } from './HitToasts.tsx'
import { openHitSheet, openHitsNow, useHitSheet, useOpenHits } from './openHits.ts'

// Loaded when first opened.
const HitSheet = lazyPart('HitSheet', () => import('./HitSheet.tsx'), { Wrapper: () => null })

function openSoonest() {
  const [soonest] = openHitsNow()
  if (soonest) openHitSheet(soonest)
}

/** On every page while there are open hits, or the sheet of one: announcements, toasts, keys, and the sheet. */
export function HitDesk() {
  const { t } = useTranslation('wanted')
  const sheet = useHitSheet()
  const hasHits = useOpenHits().length > 0
  // On the live list H goes to the vehicle at its top.
  const isPinned = usePinnedWanted().length > 0
  useShortcuts(hasHits && !isPinned ? [{ key: 'h', label: t('open-hit'), run: openSoonest }] : [])
  useEffect(() => {
    // Also while a field has the focus.
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyH') return
      event.preventDefault()
      openSoonest()
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
