import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePinnedWanted } from '../core/arrivals.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { firstOf, hitSheetNow, needsAttention, openHitSheet, openHitsNow } from './openHits.ts'

function openFirst() {
  const hits = openHitsNow().filter(needsAttention)
  const shown = hitSheetNow()
  // The next one, if the sheet of the first is open.
  const first = firstOf(hits.filter((hit) => shown === null || vehicleKey(hit) !== vehicleKey(shown))) ?? hits[0]
  if (first) openHitSheet(first)
}

/** H opens the first hit; in fields, where letters are text, Alt+H. */
export function useHitKeys(): void {
  const { t } = useTranslation('wanted')
  // On the live list H goes to the vehicle at its top.
  const isPinned = usePinnedWanted().length > 0
  useShortcuts(isPinned ? [] : [{ key: 'h', label: t('open-hit'), run: openFirst }])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyH') return
      event.preventDefault()
      openFirst()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
