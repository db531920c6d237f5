import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import { alarmRows } from '@rogatka/domain/alarms/rows.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock } from '../core/format.ts'
import { useIsOlderThan } from '../core/useIsOlderThan.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { RightIcon } from '../ui/icons.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Loading } from '../ui/Loading.tsx'
import { AlarmMark } from './AlarmMark.tsx'
import { AlarmGroup, AlarmItem } from './AlarmRows.tsx'
import css from './Alarms.module.css'
import { useRowActions, useRowKeys } from './useAlarmRows.ts'
import { useAlarms } from './useAlarms.ts'

/** Marks are hollow when the list is older than this. */
const STALE_MS = 60_000
/** Aim of a normal shift (EEMUA 191): more than one in ten minutes is marked. */
const AIM = 1

type Props = {
  /** Rows above the alarms, for wanted vehicles, and how many they are. */
  above?: ReactNode
  countAbove?: number
  /** Whether the head links to the page of alarms. */
  hasLink?: boolean
}

/** Open alarms in the order of attention, with what can be done with each. */
export function AlarmList({ above, countAbove = 0, hasLink = false }: Props) {
  const { t } = useTranslation('alarms')
  const { data, error, refetch, dataUpdatedAt } = useAlarms()
  const isOld = useIsOlderThan(dataUpdatedAt, STALE_MS)
  const [showsShelved, setShowsShelved] = useState(false)
  const [isUnacknowledgedOnly, setUnacknowledgedOnly] = useState(false)
  const [opened, setOpened] = useState<readonly string[]>([])
  const list = useRef<HTMLElement>(null)
  useRowKeys(list)
  const { act, pending } = useRowActions(list)
  const content = data?.content ?? []
  const shelved = content.filter(({ state }) => state === 'shelved')
  const listed = content.filter(({ state }) => state !== 'shelved')
  const unacknowledged = listed.filter(({ acknowledged }) => acknowledged === null)
  const returns = shelved.map((alarm) => alarm.shelved?.until ?? '').toSorted()[0]
  const common = {
    shiftEndsAt: data?.shiftEndsAt ?? '',
    isUnknown: error !== null && isOld,
    pending,
    act,
  }
  const rate = data?.lastTenMinutes ?? 0
  const toggle = (key: string) =>
    setOpened((current) => (current.includes(key) ? current.filter((other) => other !== key) : [...current, key]))
  const title = `${t('title')} ${data ? listed.length + countAbove : ''}`
  const item = (alarm: WireAlarm, isInner = false) => (
    <AlarmItem key={alarm.id} alarm={alarm} isInner={isInner} {...common} />
  )
  return (
    <section
      className={hasLink ? css.panel : `${css.panel} ${css.short}`}
      aria-label={t('title')}
      ref={list}
      tabIndex={-1}
    >
      <header className={css.head}>
        <h2>
          {hasLink ? (
            <Link to="/alarms" className={`${css.plain} ${css.link}`} title={t('page-link')}>
              {title}
              <RightIcon />
            </Link>
          ) : (
            title
          )}
        </h2>
        {data && (
          <span className={rate > AIM ? css.over : undefined}>
            {rate > AIM && <AlarmMark priority="medium" />}
            {t('last-ten-minutes', { count: rate })}
            {data.isFlood && ` · ${t('flood')}`}
          </span>
        )}
        {(unacknowledged.length > 0 || isUnacknowledgedOnly) && (
          <span className={css.rest}>
            <LinkButton
              aria-pressed={isUnacknowledgedOnly}
              onClick={() => setUnacknowledgedOnly(!isUnacknowledgedOnly)}
            >
              {t('unacknowledged-only')} <b>{unacknowledged.length}</b>
            </LinkButton>
          </span>
        )}
      </header>
      {error && (
        <ErrorBanner
          error={error}
          title={t('failed')}
          age={data && t('as-of', { time: formatClock(dataUpdatedAt) })}
          retry={() => void refetch()}
        />
      )}
      {!data && !error && <Loading label={t('loading')} />}
      {above}
      {data && (
        <ul>
          {alarmRows(isUnacknowledgedOnly ? unacknowledged : listed, data.isFlood).map((row) => {
            const [first, ...others] = row.alarms
            if (others.length === 0) return item(first)
            const key = `${row.kind} ${JSON.stringify(row.cause)}`
            const isOpen = opened.includes(key)
            return (
              <AlarmGroup key={key} id={key} row={row} isOpen={isOpen} onToggle={() => toggle(key)} {...common}>
                {isOpen && row.alarms.map((alarm) => item(alarm, true))}
              </AlarmGroup>
            )
          })}
          {showsShelved && shelved.map((alarm) => item(alarm))}
          {shelved.length > 0 && (
            <li className={css.none}>
              <span>{t('shelved', { count: shelved.length, time: formatClock(returns) })}</span>
              <LinkButton aria-expanded={showsShelved} onClick={() => setShowsShelved(!showsShelved)}>
                {t(showsShelved ? 'hide' : 'show')}
              </LinkButton>
            </li>
          )}
          {listed.length + countAbove === 0 && (
            <li className={css.none}>
              {data.emptySince ? t('none-since', { time: formatClock(data.emptySince) }) : t('none')}
            </li>
          )}
        </ul>
      )}
    </section>
  )
}
