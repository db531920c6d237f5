import { Button } from '@mantine/core'
import type { AlarmKind } from '@rogatka/contract/alarms.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock } from '../core/format.ts'
import css from './Alarms.module.css'
import { ShelfMenu } from './ShelfMenu.tsx'
import { useAlarmActions, useAlarms } from './useAlarms.ts'
import { useAlarmTexts } from './useAlarmTexts.ts'

type Props = { kind: AlarmKind; locationId: number; laneNumber: number | null }

/** Shelves the open alarm about a station or a lane until a time, or returns it; nothing if there is none. */
export function AlarmShelving({ kind, locationId, laneNumber }: Props) {
  const { t } = useTranslation('alarms')
  const { data } = useAlarms()
  const { title } = useAlarmTexts(0)
  const { shelve, unshelve } = useAlarmActions()
  const [isOpen, setOpen] = useState(false)
  const alarm = data?.content.find(
    (one) => one.kind === kind && one.location?.id === locationId && one.laneNumber === laneNumber,
  )
  if (!data || !alarm || alarm.clearedAt !== null) return null
  const { shelved, maxShelfMinutes } = alarm
  if (shelved)
    return (
      <span className={css.shelvedBy}>
        {t('shelved-until', { by: shelved.by, time: formatClock(shelved.until) })}
        {maxShelfMinutes !== null && (
          <Button variant="default" onClick={() => void unshelve(alarm)}>
            {t('unshelve')}
          </Button>
        )}
      </span>
    )
  if (maxShelfMinutes === null) return null
  return (
    <ShelfMenu
      title={title(alarm)}
      maxMinutes={maxShelfMinutes}
      shiftEndsAt={data.shiftEndsAt}
      open={isOpen}
      onOpen={setOpen}
      isLabelled
      onShelve={(until, reason) => shelve(alarm, until, reason)}
    />
  )
}
