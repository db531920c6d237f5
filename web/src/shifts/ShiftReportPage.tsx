import type { WireShiftReport } from '@rogatka/contract/shifts.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock, formatDate, formatMinute, formatTime } from '../core/format.ts'
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
  const { data, error, isFetching, isPlaceholderData, refetch } = useShiftReport(at)
  const isPrinting = usePrinting()
  // Before its report is known, and if it fails, a shift is named by its address, so that the arrows keep the focus.
  const name = useShiftName(data) ?? (at === undefined ? '' : formatMinute(at))
  const title = t('core:nav-shift-report')
  useTitle(name ? `${title}, ${name}` : title)
  const goTo = (start: string) => void navigate({ to: '/shift-report', search: { at: start } })
  return (
    <PageLayout title={<ListTitle>{title}</ListTitle>} actions={data && <PrintButton />}>
      <div className={css.page}>
        {isPrinting && data && <PrintedHead title={title} criteria={[name]} />}
        {error && !isFetching && <ErrorBanner error={error} title={t('failed')} retry={() => void refetch()} />}
        {name && (
          <header className={css.head}>
            <span className={css.shift}>
              <Arrow label={t('previous')} to={data?.previous} onGo={goTo}>
                <LeftIcon />
              </Arrow>
              <h2 aria-live="polite">{name}</h2>
              <Arrow label={t('next')} to={data?.next} onGo={goTo}>
                <RightIcon />
              </Arrow>
            </span>
            {data?.next === null && (
              <span className={css.state}>
                {t('running', { time: formatTime(data.asOf) })}{' '}
                <LinkButton aria-disabled={isFetching} onClick={() => isFetching || void refetch()}>
                  {t('refresh')}
                </LinkButton>
              </span>
            )}
          </header>
        )}
        {!data && (isFetching || !error) && <Loading label={t('loading')} />}
        {data && (
          <div className={css.sections} aria-busy={isPlaceholderData}>
            <Sections report={data} />
          </div>
        )}
      </div>
    </PageLayout>
  )
}

type ArrowProps = {
  label: string
  /** Start of the shift that it leads to; null and undefined: of none. */
  to: string | null | undefined
  onGo: (start: string) => void
  children: ReactNode
}

/** Leads to another shift. Keeps the focus where there is none. */
const Arrow = ({ label, to, onGo, children }: ArrowProps) => (
  <IconButton aria-label={label} aria-disabled={!to} onClick={() => to && onGo(to)}>
    {children}
  </IconButton>
)

/** Weekday, date and hours: "wtorek 20.10.2026, 06:00–14:00"; null without a report. */
function useShiftName(data: Pick<WireShiftReport, 'from' | 'to'> | undefined): string | null {
  const language = useLanguage()
  if (!data) return null
  const weekday = new Intl.DateTimeFormat(language, { timeZone: 'Europe/Warsaw', weekday: 'long' })
  const day = `${weekday.format(new Date(data.from))} ${formatDate(data.from)}`
  return `${day}, ${formatClock(data.from)}–${formatClock(data.to)}`
}

/** The parts that the user may see; what waits for somebody comes first. */
function Sections({ report }: { report: WireShiftReport }) {
  const { hits, alarms, tickets, commands, inspections, next } = report
  return (
    <>
      {hits && <HitSection hits={hits} shift={report} />}
      {alarms && <AlarmSection alarms={alarms} isRunning={next === null} asOf={report.asOf} />}
      {inspections && <InspectionSection inspections={inspections} shift={report} />}
      {commands && <CommandSection commands={commands} />}
      {tickets && <TicketSection tickets={tickets} />}
    </>
  )
}
