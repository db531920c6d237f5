import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../core/shortcuts.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { Loading } from '../ui/Loading.tsx'
import { RichText } from '../ui/RichText.tsx'
import css from './LiveStep.module.css'
import { flushArrivals, type LiveState } from './live.ts'
import { entriesOf, isGap, isViolating, isWanted } from './liveList.ts'
import { NoDataNotice, NoMatchNotice, StaleListNotice } from './Notices.tsx'

type Props = {
  live: LiveState
  /** Contains the bar and the list. */
  area: RefObject<HTMLElement | null>
}

/**
 * Bar above the list, of constant height: number of vehicles or a notice, a link to wanted vehicles, and the button for
 * pending arrivals.
 */
export function ArrivalsBar({ live, area }: Props) {
  const { t } = useTranslation('current')
  const { pending, pinned } = live.list
  const pendingCount = pending.length
  const hasWanted = pending.some(isWanted)
  const pinnedCount = pinned.filter((slot) => !isGap(slot)).length
  const goToWanted = () => {
    const link = area.current?.querySelector<HTMLElement>('[data-vehicle] a')
    link?.focus({ focusVisible: true } as FocusOptions)
    area.current?.scrollIntoView({ block: 'start' })
  }
  useShortcuts([
    { key: 'n', label: t('key-waiting'), run: flushArrivals },
    ...(pinnedCount > 0 ? [{ key: 'h', label: t('key-wanted'), run: goToWanted }] : []),
  ])
  return (
    <div className={css.bar}>
      <ListStatus live={live} />
      {pinnedCount > 0 && (
        <button type="button" className={css.hits} onClick={goToWanted}>
          {t('wanted-count', { count: pinnedCount })}
          <Kbd>H</Kbd>
        </button>
      )}
      {pendingCount > 0 && (
        <button
          type="button"
          className={hasWanted ? `${css.waiting} ${css.wanted}` : css.waiting}
          onClick={flushArrivals}
        >
          {t(hasWanted ? 'waiting-wanted' : 'waiting', { count: pendingCount })}
          <Kbd>N</Kbd>
        </button>
      )}
    </div>
  )
}

function ListStatus({ live: { list, error, noData } }: { live: LiveState }) {
  const { t } = useTranslation('current')
  const entries = entriesOf(list)
  if (error !== null && entries.length > 0) return <StaleListNotice error={error} />
  if (noData === 'stations' && error === null) return <NoDataNotice />
  if (entries.length === 0) {
    if (error !== null) return null
    return noData ? <NoMatchNotice /> : <Loading label={t('waiting-first')} />
  }
  return (
    <>
      <span>
        <RichText text={t('vehicles', { count: entries.length })} />
      </span>
      <span className={css.quiet}>{t('violating', { count: entries.filter(isViolating).length })}</span>
      {noData === 'filters' && <NoMatchNotice />}
    </>
  )
}
