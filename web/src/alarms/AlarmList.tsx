import { Button } from '@mantine/core'
import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import { type AlarmRow, alarmRows } from '@rogatka/domain/alarms/rows.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock } from '../core/format.ts'
import { useLetterShortcuts } from '../core/shortcuts.ts'
import { useIsOlderThan } from '../core/useIsOlderThan.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Loading } from '../ui/Loading.tsx'
import { useJoinProps } from '../ui/stationJoin.ts'
import { AlarmMark } from './AlarmMark.tsx'
import css from './Alarms.module.css'
import { CauseLink } from './CauseLink.tsx'
import { ShelfMenu } from './ShelfMenu.tsx'
import { useAlarmActions, useAlarms } from './useAlarms.ts'
import { useAlarmTexts } from './useAlarmTexts.ts'
import { useNow } from './useNow.ts'

/** Marks are hollow when the list is older than this. */
const STALE_MS = 60_000
/** Aim of a normal shift (EEMUA 191): more than one in ten minutes is marked. */
const AIM = 1

type Props = {
  /** Rows above the alarms, for wanted vehicles, and how many they are. */
  above?: ReactNode
  countAbove?: number
}

/** Open alarms in the order of attention, with what can be done with each. */
export function AlarmList({ above, countAbove = 0 }: Props) {
  const { t } = useTranslation('alarms')
  const { data, error, refetch, dataUpdatedAt } = useAlarms()
  const isOld = useIsOlderThan(dataUpdatedAt, STALE_MS)
  const [showsShelved, setShowsShelved] = useState(false)
  const [opened, setOpened] = useState<readonly string[]>([])
  const ref = useRowKeys()
  const content = data?.content ?? []
  const shelved = content.filter(({ state }) => state === 'shelved')
  const listed = content.filter(({ state }) => state !== 'shelved')
  const returns = shelved.map((alarm) => alarm.shelved?.until ?? '').toSorted()[0]
  const common = { shiftEndsAt: data?.shiftEndsAt ?? '', isUnknown: error !== null && isOld }
  const unacknowledged = listed.filter(({ acknowledged }) => acknowledged === null).length
  const rate = data?.lastTenMinutes ?? 0
  const toggle = (key: string) =>
    setOpened((current) => (current.includes(key) ? current.filter((other) => other !== key) : [...current, key]))
  return (
    <section className={css.panel} aria-label={t('title')}>
      <header className={css.head}>
        <h2>
          <Link to="/alarms" className={css.plain}>
            {t('title')} {data ? listed.length + countAbove : ''}
          </Link>
        </h2>
        {data && (
          <span>
            {rate > AIM && <AlarmMark priority="medium" />}
            {t('last-ten-minutes', { count: rate })}
            {data.isFlood && ` · ${t('flood')}`}
          </span>
        )}
        {unacknowledged > 0 && <span className={css.rest}>{t('unacknowledged', { count: unacknowledged })}</span>}
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
        <ul ref={ref}>
          {alarmRows(listed, data.isFlood).map((row) => {
            const [first] = row.alarms
            const key = row.alarms.length > 1 ? `${row.kind} ${JSON.stringify(row.cause)}` : String(first.id)
            if (row.alarms.length === 1) return <Alarm key={key} alarm={first} {...common} />
            const isOpen = opened.includes(key)
            return (
              <Group key={key} row={row} isOpen={isOpen} onToggle={() => toggle(key)} {...common}>
                {isOpen && row.alarms.map((alarm) => <Alarm key={alarm.id} alarm={alarm} {...common} />)}
              </Group>
            )
          })}
          {showsShelved && shelved.map((alarm) => <Alarm key={alarm.id} alarm={alarm} {...common} />)}
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

type Common = { shiftEndsAt: string; isUnknown: boolean }

function Alarm({ alarm, shiftEndsAt, isUnknown }: Common & { alarm: WireAlarm }) {
  const { t } = useTranslation('alarms')
  const { title, details } = useAlarmTexts(useNow(MINUTE_MS))
  const actions = useAlarmActions()
  const [isShelving, setShelving] = useState(false)
  const joinPropsFor = useJoinProps()
  const name = title(alarm)
  const isAcknowledged = alarm.acknowledged !== null
  return (
    <li
      className={isAcknowledged ? `${css.alarm} ${css.acknowledged}` : css.alarm}
      {...joinPropsFor(alarm.location ? [alarm.location.id] : [])}
    >
      <AlarmMark priority={alarm.priority} hollow={isAcknowledged || isUnknown} struck={alarm.clearedAt !== null} />
      <div>
        <CauseLink alarm={alarm}>
          <b>{name}</b>
        </CauseLink>
        <small>{details(alarm)}</small>
      </div>
      <div className={css.actions}>
        {!isAcknowledged && alarm.state !== 'shelved' && (
          <Button
            variant="default"
            size="xs"
            data-action="acknowledge"
            aria-label={t('acknowledge-alarm', { title: name })}
            onClick={() => void actions.acknowledge([alarm])}
          >
            {t('acknowledge')}
          </Button>
        )}
        {alarm.state === 'shelved' && alarm.maxShelfMinutes !== null && (
          <Button variant="default" size="xs" onClick={() => void actions.unshelve(alarm)}>
            {t('unshelve')}
          </Button>
        )}
        {alarm.state !== 'shelved' && alarm.maxShelfMinutes !== null && (
          <ShelfMenu
            title={name}
            maxMinutes={alarm.maxShelfMinutes}
            shiftEndsAt={shiftEndsAt}
            open={isShelving}
            onOpen={setShelving}
            onShelve={(until, reason) => actions.shelve(alarm, until, reason)}
          />
        )}
      </div>
    </li>
  )
}

type GroupProps = Common & { row: AlarmRow<WireAlarm>; isOpen: boolean; onToggle: () => void; children: ReactNode }

/** Several alarms of one cause. */
function Group({ row, isOpen, onToggle, isUnknown, children }: GroupProps) {
  const { t } = useTranslation('alarms')
  const { groupTitle } = useAlarmTexts(useNow(MINUTE_MS))
  const actions = useAlarmActions()
  const open = row.alarms.filter(({ acknowledged }) => acknowledged === null)
  const joinPropsFor = useJoinProps()
  const stations = row.alarms.flatMap(({ location }) => location?.id ?? [])
  const title = groupTitle(row)
  return (
    <>
      <li className={open.length > 0 ? css.alarm : `${css.alarm} ${css.acknowledged}`} {...joinPropsFor(stations)}>
        <AlarmMark priority={row.alarms[0].priority} hollow={open.length === 0 || isUnknown} />
        <div>
          <LinkButton aria-expanded={isOpen} onClick={onToggle}>
            <b>{title}</b>
          </LinkButton>
          <small>
            {[t(`priority-${row.alarms[0].priority}`), t('unacknowledged', { count: open.length })].join(' · ')}
          </small>
        </div>
        <div className={css.actions}>
          {open.length > 0 && (
            <Button
              variant="default"
              size="xs"
              data-action="acknowledge"
              aria-label={t('acknowledge-alarm', { title })}
              onClick={() => void actions.acknowledge(open)}
            >
              {t('acknowledge')}
            </Button>
          )}
        </div>
      </li>
      {children}
    </>
  )
}

/** Keys in the list: ↑ ↓ rows, A acknowledge, O shelve; Enter opens the cause, as it is a link. */
function useRowKeys() {
  const ref = useRef<HTMLUListElement>(null)
  const hasLetters = useLetterShortcuts()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const list = ref.current
      if (!list || !(event.target instanceof HTMLElement) || !list.contains(event.target)) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const rows = [...list.querySelectorAll<HTMLElement>(`.${css.alarm}`)]
      const at = rows.findIndex((row) => row.contains(event.target as Node))
      const row = rows[at]
      if (!row) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const action = hasLetters && { a: '[data-action="acknowledge"]', o: `.${css.shelve}` }[event.key]
      if (step) rows[at + step]?.querySelector<HTMLElement>('a, button')?.focus()
      else if (action) row.querySelector<HTMLElement>(action)?.click()
      else return
      event.preventDefault()
    }
    // Before the shortcuts of the page.
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [hasLetters])
  return ref
}
