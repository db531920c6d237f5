import { VisuallyHidden } from '@mantine/core'
import type { WireStationHealth } from '@rogatka/contract/tickets-health.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { healthNews } from './healthOrder.ts'
import { useHealthTexts } from './useHealthTexts.ts'

/** Live regions: a new failure at once, a recovery politely. */
export function HealthNews({ stations }: { stations: readonly WireStationHealth[] }) {
  const { t } = useTranslation('tickets')
  const { label, title } = useHealthTexts()
  const before = useRef(stations)
  const [spoken, setSpoken] = useState({ begun: '', over: '', number: 0 })
  const texts = useRef({ label, title, t })
  useEffect(() => {
    texts.current = { label, title, t }
  })
  useEffect(() => {
    const { begun, over } = healthNews(before.current, stations)
    before.current = stations
    if (begun.length + over.length === 0) return
    const { label, title, t } = texts.current
    setSpoken(({ number }) => ({
      begun: begun.map(label).join('; '),
      over: over.map((shown) => `${title(shown)}, ${t('state-well')}`).join('; '),
      number: number + 1,
    }))
  }, [stations])
  return (
    <VisuallyHidden>
      <div role="alert">
        <span key={spoken.number}>{spoken.begun}</span>
      </div>
      <div role="status">
        <span key={spoken.number}>{spoken.over}</span>
      </div>
    </VisuallyHidden>
  )
}
