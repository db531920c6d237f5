import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../core/store.ts'
import { alarmNews } from './alarmNews.ts'
import { useAlarmTexts } from './useAlarmTexts.ts'

/** Live regions of new alarms: each high one at once, the others in one sentence. */
export function AlarmAnnouncer() {
  const { t } = useTranslation('alarms')
  const { title } = useAlarmTexts(0)
  const { high, others, areOlder } = useStore(alarmNews)
  const [first] = others
  const text = first
    ? t(areOlder ? 'spoken-older' : 'spoken-others', { count: others.length, title: title(first) })
    : ''
  // Written after the region is there, so that the first sentence is spoken, too; in a new element, so that an equal one is.
  const [spoken, setSpoken] = useState({ text: '', number: 0 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other alarms may have the same text
  useEffect(() => setSpoken(({ number }) => ({ text, number: number + 1 })), [text, others])
  return (
    <VisuallyHidden>
      {high.map((alarm) => (
        <div key={alarm.id} role="alert">
          {t('spoken-high', { title: title(alarm) })}
        </div>
      ))}
      <div aria-live="polite">
        <span key={spoken.number}>{spoken.text}</span>
      </div>
    </VisuallyHidden>
  )
}
