import { Button, Switch } from '@mantine/core'
import { report, type WireTicketMonth } from '@rogatka/contract/tickets.ts'
import { monthPages } from '@rogatka/domain/tickets/document.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'
import { useFormat } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useReportSize } from '../core/frame/useReportSize.tsx'
import { useListFailure } from '../core/useListFailure.ts'
import { useLocations } from '../locations/publicApi.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FileIcon } from '../ui/icons.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading, Spinner } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { StationSelect } from '../ui/StationSelect.tsx'
import { monthChoices, monthIn } from './months.ts'
import { readTicketsSearch, type TicketsSearch } from './search.ts'
import css from './Tickets.module.css'
import { TicketTable } from './TicketTable.tsx'
import { useAvailability } from './useHealth.ts'
import { FOUND_PAGE, useFoundTickets, useTicketMonth } from './useTickets.ts'
import { useTicketTexts } from './useTicketTexts.ts'

/** Tickets of a month, or open tickets and those of a station across all months. */
export function TicketsPage() {
  const search = readTicketsSearch(useSearch({ strict: false }))
  return search.open || search.station ? <FoundTickets search={search} /> : <MonthTickets search={search} />
}

type PageProps = { search: TicketsSearch }

/** Tickets of a month with their durations and the total, to be printed and signed. */
function MonthTickets({ search }: PageProps) {
  const { t } = useTranslation('tickets')
  const navigate = useNavigate()
  const { data, error, refetch, isPlaceholderData } = useTicketMonth(search)
  useListFailure(t('list-failed'), error, data !== undefined)
  const navigateTo = (next: TicketsSearch) => void navigate({ to: '/tickets', search: next })
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-tickets')}</ListTitle>}
      actions={data && <MonthReport ticketMonth={data} />}
    >
      {!data && !error && <Loading label={t('loading')} />}
      {!data && error && <ErrorBanner error={error} title={t('list-failed')} retry={() => void refetch()} />}
      {data && data.months.length === 0 && <EmptyState title={t('none')} hint={t('none-hint')} />}
      {data && data.months.length > 0 && (
        <>
          <MonthHeading ticketMonth={data} />
          <TicketFilters search={search} />
          <MonthChoice ticketMonth={data} onSelect={navigateTo} />
          {data.content.length === 0 ? (
            <Notice kind="quiet">{t('none')}</Notice>
          ) : (
            <TicketTable tickets={data.content} stale={isPlaceholderData} />
          )}
        </>
      )}
    </PageLayout>
  )
}

function FoundTickets({ search }: PageProps) {
  const { t } = useTranslation('tickets')
  const { number } = useFormat()
  const navigate = useNavigate()
  const { data, error, refetch, isPlaceholderData } = useFoundTickets(search)
  useListFailure(t('list-failed'), error, data !== undefined)
  const pages = pageCount(data?.totalCount ?? 0, FOUND_PAGE)
  const navigateTo = (page: number) => void navigate({ to: '/tickets', search: readTicketsSearch({ ...search, page }) })
  return (
    <PageLayout title={<ListTitle>{t('core:nav-tickets')}</ListTitle>}>
      <div className={css.head}>
        <h2>{t('all-months')}</h2>
        {data && <p>{t('count', { count: data.totalCount })}</p>}
      </div>
      <TicketFilters search={search} />
      {!data && !error && <Loading label={t('loading')} />}
      {!data && error && <ErrorBanner error={error} title={t('list-failed')} retry={() => void refetch()} />}
      {data?.totalCount === 0 && <Notice kind="quiet">{t('none-found')}</Notice>}
      {data && data.totalCount > 0 && (
        <TicketTable tickets={data.content} stale={isPlaceholderData} withTotal={false} />
      )}
      {pages > 1 && (
        <Pagination page={Math.min(search.page ?? 1, pages)} count={pages} onPage={navigateTo} format={number} />
      )}
    </PageLayout>
  )
}

/** Filters across all months; without any, a month is shown. */
function TicketFilters({ search: { open, station } }: PageProps) {
  const { t } = useTranslation('tickets')
  const navigate = useNavigate()
  const { data: stations } = useLocations()
  const navigateTo = (next: TicketsSearch) =>
    void navigate({ to: '/tickets', search: readTicketsSearch({ open, station, ...next }) })
  return (
    <div className={css.filters}>
      <Switch
        label={t('open-only')}
        checked={open === true}
        onChange={(event) => navigateTo({ open: event.currentTarget.checked ? true : undefined })}
      />
      <StationSelect
        stations={stations}
        all={t('all-stations')}
        value={station}
        onChange={(id) => navigateTo({ station: id })}
      />
    </div>
  )
}

type MonthProps = { ticketMonth: WireTicketMonth }

function MonthHeading({ ticketMonth: { year, month, content, totalDurationMinutes } }: MonthProps) {
  const { t } = useTranslation('tickets')
  const texts = useTicketTexts()
  const open = content.filter(({ isOpen }) => isOpen).length
  const facts = [
    t('count', { count: content.length }),
    open > 0 && t('open-count', { count: open }),
    t('month-total', { duration: durationText(totalDurationMinutes) }),
  ]
  return (
    <div className={css.head}>
      <h2>
        {texts.month(month)} {year}
      </h2>
      {content.length > 0 && <p>{facts.filter(Boolean).join(' · ')}</p>}
    </div>
  )
}

type ChoiceProps = MonthProps & { onSelect: (month: TicketsSearch) => void }

/** Selects a year and a month with reports. */
function MonthChoice({ ticketMonth: { year, month, months }, onSelect }: ChoiceProps) {
  const { t } = useTranslation('tickets')
  const texts = useTicketTexts()
  const choices = monthChoices(months, year)
  return (
    <div className={css.months}>
      <SegmentedControl
        label={t('year')}
        options={choices.years.map((option) => ({ value: String(option), label: option }))}
        value={String(year)}
        onChange={(selected) => onSelect({ year: Number(selected), month: monthIn(months, Number(selected), month) })}
      />
      <SegmentedControl
        label={t('month')}
        options={choices.months.map((option) => ({ value: String(option), label: texts.month(option) }))}
        value={String(month)}
        onChange={(selected) => onSelect({ year, month: Number(selected) })}
      />
    </div>
  )
}

const DOWNLOAD_GROUP = 'tickets'

/** Downloads the month as a PDF; disabled for a month without tickets. */
function MonthReport({ ticketMonth: { year, month, content } }: MonthProps) {
  const { t } = useTranslation('tickets')
  const running = useDownload(DOWNLOAD_GROUP)
  const { data: availability, isPlaceholderData } = useAvailability(
    { year, month },
    { enabled: content.length > 0, refetchInterval: false },
  )
  const startDownload = () =>
    void download({
      group: DOWNLOAD_GROUP,
      item: 'pdf',
      failure: t('report-failed'),
      requestLink: (signal) => call(report, { query: { year, month }, signal }),
    })
  const { textOf, select, dialog } = useReportSize<'pdf'>({
    // Until the stations of the annex are known, the length is not.
    sizeOf: () => (availability && !isPlaceholderData ? { pages: monthPages(content, availability) } : null),
    start: startDownload,
    hint: t('report-long'),
  })
  if (running)
    return (
      <Button variant="default" leftSection={<Spinner size={16} />} onClick={running.cancel}>
        {t('report-cancel')}
      </Button>
    )
  const isEmpty = content.length === 0
  return (
    <>
      <span className={css.reason}>{isEmpty ? t('report-nothing') : textOf('pdf')}</span>
      <Button leftSection={<FileIcon />} disabled={isEmpty} onClick={() => select('pdf')}>
        {t('report')}
      </Button>
      {dialog}
    </>
  )
}
