import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useTicking } from '../core/clock.ts'
import { formatDateTime, formatTime } from '../core/format.ts'
import { lacksPurpose } from '../core/purpose.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import toneCss from '../ui/tone.module.css'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './LiveStep.module.css'
import { askPurposeOf, lastArrivalAt, lastResponseAt, lastVehicleAtStations, live, noDataSince } from './live.ts'

const seconds = (ms: number) => Math.max(0, Math.floor(ms / 1_000))

/** The stations sent no vehicle for over 30 s: the time since, and when the last vehicle passed. */
export function NoDataNotice() {
  const { t } = useTranslation('current')
  const text = useCallback(
    (now: number) => {
      const duration = formatCountdown(seconds(now - noDataSince()))
      const last = lastVehicleAtStations()
      if (last === null) return t('no-data-from-location-yet', { duration })
      return t('no-data-from-location', {
        duration,
        last: now - last < DAY_MS ? formatTime(last) : formatDateTime(last),
      })
    },
    [t],
  )
  return (
    <div className={`${css.message} ${toneCss.attention}`} role="status">
      <span ref={useTicking(text)} aria-live="off" />
    </div>
  )
}

/** Stations send data, but for over 30 s no vehicle matched the filters: not an error, so a quiet notice. */
export function NoMatchNotice() {
  const { t } = useTranslation('current')
  const text = useCallback(
    (now: number) => t('no-match', { duration: formatCountdown(seconds(now - lastArrivalAt())) }),
    [t],
  )
  return <span className={css.noMatch} ref={useTicking(text)} aria-live="off" />
}

/** Age of the displayed data. */
function useAge() {
  const { t } = useTranslation('current')
  const text = useCallback((now: number) => t('data-age', { seconds: seconds(now - lastResponseAt()) }), [t])
  return <span ref={useTicking(text)} aria-live="off" />
}

/** Asks for the purpose that the list lacks. */
function requestPurpose() {
  const { search } = live.get()
  if (search) void askPurposeOf(search)
}

/** Loading failed while a list is shown: a notice of one line, so that nothing moves under the pointer. */
export function StaleListNotice({ error }: { error: unknown }) {
  const { t } = useTranslation('current')
  const textOf = useErrorText()
  return (
    <div className={`${css.message} ${toneCss.error}`} role="alert">
      <b>{t('list-failed')}</b> {textOf(error)} {useAge()}{' '}
      {lacksPurpose(error) && <LinkButton onClick={requestPurpose}>{t('ui:try-again')}</LinkButton>}
    </div>
  )
}

/** Loading failed without a list to show; retries automatically. */
export function ListErrorNotice({ error }: { error: unknown }) {
  const { t } = useTranslation('current')
  return (
    <ErrorBanner
      error={error}
      title={t('list-failed')}
      age={useAge()}
      {...(lacksPurpose(error) && { retry: requestPurpose })}
    />
  )
}
