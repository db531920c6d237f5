import type { WireShiftReport } from '@rogatka/contract/shifts.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatClock, formatDate, formatTime } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { PrintButton } from '../core/frame/PrintButton.tsx'
import { PrintedHead } from '../core/frame/PrintedHead.tsx'
import { useLanguage } from '../core/language.ts'
import { useTitle } from '../core/useTitle.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { LeftIcon, RightIcon } from '../ui/icons.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading } from '../ui/Loading.tsx'
import { usePrinting } from '../ui/usePrinting.ts'
import { AlarmSection } from './AlarmSection.tsx'
import { CommandSection } from './CommandSection.tsx'
import { HitSection } from './HitSection.tsx'
import { InspectionSection } from './InspectionSection.tsx'
import css from './Shifts.module.css'
import { readShiftSearch } from './search.ts'
import { TicketSection } from './TicketSection.tsx'
import { useShiftReport } from './useShiftReport.ts'

/** What happened in a shift, for those who hand it over: the current one, or any before. */
export function ShiftReportPage() {
  const { t } = useTranslation('shifts')
  const { at } = readShiftSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { data, error, isFetching, refetch } = useShiftReport(at)
  const isPrinting = usePrinting()
  const name = useShiftName(data)
  const title = t('core:nav-shift-report')
  useTitle(data ? `${title}, ${name}` : title)
  const goTo = (start: string | undefined) => void navigate({ to: '/shift-report', search: { at: start } })
  return (
    <PageLayout title={<ListTitle>{title}</ListTitle>} actions={data && <PrintButton />}>
      <div className={css.page}>
        {isPrinting && data && <PrintedHead title={title} criteria={[name]} />}
        {error && !isFetching && <ErrorBanner error={error} title={t('failed')} retry={() => void refetch()} />}
        {!data && (isFetching || !error) && <Loading label={t('loading')} />}
        {data && (
          <>
            <header className={css.head}>
              <span className={css.shift}>
                <IconButton
                  aria-label={t('previous')}
                  disabled={data.previous === null}
                  onClick={() => goTo(data.previous ?? undefined)}
                >
                  <LeftIcon />
                </IconButton>
                <h2 aria-live="polite">{name}</h2>
                <IconButton
                  aria-label={t('next')}
                  disabled={data.next === null}
                  onClick={() => goTo(data.next ?? undefined)}
                >
                  <RightIcon />
                </IconButton>
              </span>
              {data.next === null && (
                <span className={css.state}>
                  {t('running', { time: formatTime(data.asOf) })}{' '}
                  <LinkButton aria-disabled={isFetching} onClick={() => void refetch()}>
                    {t('refresh')}
                  </LinkButton>
                </span>
              )}
            </header>
            <Sections report={data} />
          </>
        )}
      </div>
    </PageLayout>
  )
}

/** Weekday, date and hours: "wtorek 20.10.2026, 06:00–14:00". */
function useShiftName(data: Pick<WireShiftReport, 'from' | 'to'> | undefined): string {
  const language = useLanguage()
  if (!data) return ''
  const weekday = new Intl.DateTimeFormat(language, { timeZone: 'Europe/Warsaw', weekday: 'long' })
  const day = `${weekday.format(new Date(data.from))} ${formatDate(data.from)}`
  return `${day}, ${formatClock(data.from)}–${formatClock(data.to)}`
}

/** The parts that the user may see; what waits for somebody comes first. */
function Sections({ report }: { report: WireShiftReport }) {
  const { hits, alarms, tickets, commands, inspections, next } = report
  return (
    <>
      {hits && <HitSection hits={hits} />}
      {alarms && <AlarmSection alarms={alarms} isRunning={next === null} asOf={report.asOf} />}
      {inspections && <InspectionSection inspections={inspections} />}
      {commands && <CommandSection commands={commands} />}
      {tickets && <TicketSection tickets={tickets} />}
    </>
  )
}
