import { Button, VisuallyHidden } from '@mantine/core'
import { CHECK_PAUSE_MINUTES, trailReport } from '@rogatka/contract/trail.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { download, useDownload } from '../core/downloads.ts'
import { showError } from '../core/errors.ts'
import { formatDateTime, formatDay, formatMinute, MISSING, useFormat } from '../core/format.ts'
import { FactList } from '../ui/FactList.tsx'
import { FigurePanel } from '../ui/FigurePanel.tsx'
import { CheckIcon, FileIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import css from './Integrity.module.css'
import { filtersOf, type TrailQuery } from './query.ts'
import { type Integrity, requestCheck, type useIntegrity } from './useIntegrity.ts'

type Props = {
  result: ReturnType<typeof useIntegrity>
  /** The question that an evidence answers. */
  query: TrailQuery
}

/** Whether the chains of hashes hold, and when they were checked, stamped and copied. */
export function IntegrityPanel({ result, query }: Props) {
  const { t } = useTranslation('trail')
  return (
    <FigurePanel
      title={t('integrity')}
      result={result}
      skeleton={<div className={css.skeleton} />}
      className={css.panel}
    >
      {(state) => (
        <>
          <ChainStatus state={state} />
          <Days days={state.days} />
          <Facts state={state} />
          <div className={css.actions}>
            <CheckButton state={state} onRequested={() => void result.refetch()} />
            <EvidenceButton query={query} />
          </div>
          <RecentCheck state={state} />
          <p className={css.hint}>{t('evidence-hint')}</p>
        </>
      )}
    </FigurePanel>
  )
}

/** What does not hold and what to do, above the page; nothing while all holds. */
export function IntegrityFault({ check }: Pick<Integrity, 'check'>) {
  const { t } = useTranslation('trail')
  if (!check?.fault) return null
  return (
    <div className={css.banner}>
      <Notice kind="error">
        <b>{t('chain-broken')}</b>
        <code className={css.fault} lang="en">
          {check.fault}
        </code>
        <span>{t('chain-broken-todo')}</span>
      </Notice>
    </div>
  )
}

function ChainStatus({ state: { check, links, since } }: { state: Integrity }) {
  const { t } = useTranslation('trail')
  const { number } = useFormat()
  const kind = check === null ? '' : check.fault === null ? css.intact : css.broken
  return (
    <div className={`${css.verdict} ${kind}`}>
      {kind === css.intact && <CheckIcon />}
      <span>
        <b>{t(check === null ? 'chain-unchecked' : check.fault === null ? 'chain-intact' : 'chain-broken')}</b>
        <br />
        {since === null
          ? t('no-links')
          : t('links', { count: links, shown: number(links), day: formatDateTime(since).slice(0, 10) })}
      </span>
    </div>
  )
}

/** One mark for each of the last days; its height, too, tells what was found. */
function Days({ days }: Pick<Integrity, 'days'>) {
  const { t } = useTranslation('trail')
  const count = (state: string) => days.filter((day) => day.state === state).length
  return (
    <p className={css.days}>
      <VisuallyHidden>
        {t('checked-days', { days: days.length, intact: count('intact'), broken: count('broken') })}
      </VisuallyHidden>
      {days.map(({ day, state }) => (
        <i key={day} className={css[state]} title={`${formatDay(day)}: ${t(`day-${state}`)}`} aria-hidden="true" />
      ))}
    </p>
  )
}

function Facts({ state: { check, head, anchor, isCopied } }: { state: Integrity }) {
  const { t } = useTranslation('trail')
  const stamp = anchor?.stampedAt
    ? `RFC 3161, ${formatDateTime(anchor.stampedAt)}`
    : t(anchor?.isStampRequested ? 'stamp-pending' : 'stamp-none')
  const copy = anchor?.copiedAt ? formatMinute(anchor.copiedAt) : t(isCopied ? 'copy-pending' : 'copy-none')
  return (
    <FactList
      className={css.facts}
      facts={[
        [t('checked-at'), check ? formatMinute(check.endedAt) : MISSING],
        [t('last-hash'), head ? shortened(head.hash) : MISSING],
        [t('time-stamp'), stamp],
        [t('copy-outside'), copy],
      ]}
    />
  )
}

/** The beginning and the end of a hash. */
const shortened = (hash: string) => `${hash.slice(0, 4)} ${hash.slice(4, 8)} … ${hash.slice(-4)}`

/** A check can be requested some minutes after the last one. */
function CheckButton({ state: { check, isChecking }, onRequested }: { state: Integrity; onRequested: () => void }) {
  const { t } = useTranslation('trail')
  const { mutate, isPending } = useMutation({
    mutationFn: requestCheck,
    onSuccess: onRequested,
    onError: (error) => showError(error, { title: t('check-failed') }),
  })
  const isBusy = isPending || isChecking
  const isDisabled = isBusy || isRecent(check)
  return (
    <Button variant="default" className={css.check} aria-disabled={isDisabled} onClick={() => isDisabled || mutate()}>
      {t(isBusy ? 'checking' : 'check-now')}
    </Button>
  )
}

const isRecent = (check: Integrity['check']): boolean =>
  check !== null && serverNow() - Date.parse(check.endedAt) < CHECK_PAUSE_MINUTES * MINUTE_MS

/** Why a check cannot be requested. */
function RecentCheck({ state: { check, isChecking } }: { state: Integrity }) {
  const { t } = useTranslation('trail')
  if (isChecking || !isRecent(check)) return null
  return <p className={css.hint}>{t('checked-recently', { minutes: CHECK_PAUSE_MINUTES })}</p>
}

const EVIDENCE_GROUP = 'trail evidence'

/** Downloads the answer of the page with the chain of its range. */
function EvidenceButton({ query }: { query: TrailQuery }) {
  const { t } = useTranslation('trail')
  const running = useDownload(EVIDENCE_GROUP)
  const start = () =>
    void download({
      group: EVIDENCE_GROUP,
      item: 'zip',
      failure: t('evidence-failed'),
      requestLink: (signal) => call(trailReport, { query: { ...filtersOf(query), reportType: 'zip' }, signal }),
    })
  return (
    <Button variant="default" leftSection={<FileIcon />} loading={running !== null} onClick={start}>
      {t('evidence')}
    </Button>
  )
}
