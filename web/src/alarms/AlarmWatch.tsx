import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../core/lazyPage.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useStore } from '../core/store.ts'
import { useSelf } from '../core/useSelf.ts'
import { followAlarms } from './alarmFeed.ts'
import { alarmNews, clearNews, updateNews } from './alarmNews.ts'
import { startAlarmSound } from './alarmSound.ts'

// With the texts of alarms: loaded when there is something to say.
const AlarmAnnouncer = lazyPart('AlarmAnnouncer', () => import('./AlarmAnnouncer.tsx'), {
  features: ['alarms'],
  Wrapper: () => null,
})

/** On every page: receives the open alarms, sounds and speaks them. G L opens their page. */
export function AlarmWatch() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const userId = useSelf().data?.id
  const { high, others } = useStore(alarmNews)
  useShortcuts([
    { key: 'g l', label: t('key-go', { name: t('nav-alarms') }), run: () => void navigate({ to: '/alarms' }) },
  ])
  useEffect(() => {
    if (userId === undefined) return
    const stop = new AbortController()
    const sound = startAlarmSound(userId, stop.signal)
    void followAlarms(
      userId,
      (page) => {
        sound(page.content)
        updateNews(page)
      },
      stop.signal,
    )
    return () => {
      stop.abort()
      clearNews()
    }
  }, [userId])
  return high.length + others.length > 0 && <AlarmAnnouncer />
}
