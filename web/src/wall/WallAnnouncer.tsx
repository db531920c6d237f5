import { VisuallyHidden } from '@mantine/core'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { isUrgent, useHitSentence, useOpenHits } from '../wanted/publicApi.ts'

/** Live region: each new hit, and who took it. */
export function WallAnnouncer() {
  const { t } = useTranslation('wanted')
  const sentenceOf = useHitSentence()
  const hits = useOpenHits()
  const [text, setText] = useState('')
  /** By hit: who has taken it. */
  const announced = useRef(new Map<string, number | null>())
  useEffect(() => {
    const sentences = hits.flatMap((hit) => {
      const key = vehicleKey(hit)
      const [before, by] = [announced.current.get(key), hit.taken?.by ?? null]
      if (before === (by?.id ?? null) || (before === undefined && !isUrgent(hit))) return []
      return by
        ? t('spoken-taken', { plate: displayPlate(hit.plateLpr, hit.nationality), user: by.username })
        : sentenceOf(hit)
    })
    announced.current = new Map(hits.map((hit) => [vehicleKey(hit), hit.taken?.by.id ?? null]))
    if (sentences.length > 0) setText(sentences.join('. '))
  }, [hits, t, sentenceOf])
  return (
    <VisuallyHidden>
      <div role="status">{text}</div>
    </VisuallyHidden>
  )
}
