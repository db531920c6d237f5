import { Button } from '@mantine/core'
import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import type { AlarmRow } from '@rogatka/domain/alarms/rows.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../ui/LinkButton.tsx'
import { useJoinProps } from '../ui/stationJoin.ts'
import { AlarmMark } from './AlarmMark.tsx'
import css from './Alarms.module.css'
import { CauseLink } from './CauseLink.tsx'
import { ShelfMenu } from './ShelfMenu.tsx'
import { useAlarmActions } from './useAlarms.ts'
import { useAlarmTexts } from './useAlarmTexts.ts'
import { useNow } from './useNow.ts'

type CommonProps = {
  shiftEndsAt: string
  isUnknown: boolean
  /** Keys of the rows whose action is not answered yet. */
  pending: ReadonlySet<string>
  /** Runs an action about the row of this key, then moves the focus to the next row. */
  act: (key: string, action: () => Promise<boolean>) => Promise<boolean>
}

type ItemProps = CommonProps & {
  alarm: WireAlarm
  /** Below the row of its group. */
  isInner: boolean
}

/** An alarm, with what can be done with it. */
export function AlarmItem({ alarm, isInner, shiftEndsAt, isUnknown, pending, act }: ItemProps) {
  const { t } = useTranslation('alarms')
  const { title, details } = useAlarmTexts(useNow(MINUTE_MS))
  const actions = useAlarmActions()
  const [isShelving, setShelving] = useState(false)
  const joinPropsFor = useJoinProps()
  const name = title(alarm)
  const key = String(alarm.id)
  const isAcknowledged = alarm.acknowledged !== null
  const isShelved = alarm.state === 'shelved'
  const className = [css.alarm, isAcknowledged && css.acknowledged, isInner && css.inner].filter(Boolean).join(' ')
  return (
    <li className={className} data-alarm={key} {...joinPropsFor(alarm.location ? [alarm.location.id] : [])}>
      <AlarmMark priority={alarm.priority} hollow={isAcknowledged || isUnknown} struck={alarm.clearedAt !== null} />
      <div>
        <CauseLink alarm={alarm}>
          <b>{name}</b>
        </CauseLink>
        <small>{details(alarm)}</small>
      </div>
      <div className={css.actions}>
        {!isAcknowledged && !isShelved && (
          <AcknowledgeButton
            title={name}
            isPending={pending.has(key)}
            onClick={() => void act(key, () => actions.acknowledge([alarm]))}
          />
        )}
        {isShelved && alarm.maxShelfMinutes !== null && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('unshelve-alarm', { title: name })}
            {...disabledProps(pending.has(key))}
            onClick={() => void act(key, () => actions.unshelve(alarm))}
          >
            {t('unshelve')}
          </Button>
        )}
        {!isShelved && alarm.maxShelfMinutes !== null && (
          <ShelfMenu
            title={name}
            maxMinutes={alarm.maxShelfMinutes}
            shiftEndsAt={shiftEndsAt}
            open={isShelving}
            onOpen={setShelving}
            onShelve={(until, reason) => act(key, () => actions.shelve(alarm, until, reason))}
          />
        )}
      </div>
    </li>
  )
}

/** Shows a button as disabled, which keeps the focus. */
const disabledProps = (isDisabled: boolean) => (isDisabled ? { 'aria-disabled': true, 'data-disabled': true } : {})

type AcknowledgeProps = { title: string; isPending: boolean; onClick: () => void }

function AcknowledgeButton({ title, isPending, onClick }: AcknowledgeProps) {
  const { t } = useTranslation('alarms')
  return (
    <Button
      variant="default"
      size="xs"
      data-action="acknowledge"
      aria-label={t('acknowledge-alarm', { title })}
      title={`${t('acknowledge')} (A)`}
      {...disabledProps(isPending)}
      onClick={onClick}
    >
      {t('acknowledge')}
    </Button>
  )
}

type GroupProps = CommonProps & {
  id: string
  row: AlarmRow<WireAlarm>
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}

/** Several alarms of one cause. */
export function AlarmGroup({ id, row, isOpen, onToggle, isUnknown, pending, act, children }: GroupProps) {
  const { groupTitle, groupDetails } = useAlarmTexts(useNow(MINUTE_MS))
  const actions = useAlarmActions()
  const open = row.alarms.filter(({ acknowledged }) => acknowledged === null)
  const joinPropsFor = useJoinProps()
  const stations = row.alarms.flatMap(({ location }) => location?.id ?? [])
  const title = groupTitle(row)
  return (
    <>
      <li
        className={open.length > 0 ? css.alarm : `${css.alarm} ${css.acknowledged}`}
        data-alarm={id}
        {...joinPropsFor(stations)}
      >
        <AlarmMark priority={row.alarms[0].priority} hollow={open.length === 0 || isUnknown} />
        <div>
          <LinkButton aria-expanded={isOpen} onClick={onToggle}>
            <b>{title}</b>
          </LinkButton>
          <small>{groupDetails(row)}</small>
        </div>
        <div className={css.actions}>
          {open.length > 0 && (
            <AcknowledgeButton
              title={title}
              isPending={pending.has(id)}
              onClick={() => void act(id, () => actions.acknowledge(open))}
            />
          )}
        </div>
      </li>
      {children}
    </>
  )
}
