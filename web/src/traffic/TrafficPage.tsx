import { useTranslation } from 'react-i18next'
import { useLocations } from '../locations/publicApi.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LegendList } from '../ui/LegendList.tsx'
import { Notice } from '../ui/Notice.tsx'
import { HourChart } from './HourChart.tsx'
import { Kpi, Kpis } from './Kpis.tsx'
import { Panel } from './Panel.tsx'
import { rangeParams, timeClassCountryOf } from './search.ts'
import css from './Traffic.module.css'
import { TrafficDownload } from './TrafficDownload.tsx'
import { TrafficFilters } from './TrafficFilters.tsx'
import { TrafficLayout } from './TrafficLayout.tsx'
import { TrafficTable } from './TrafficTable.tsx'
import { comparedTotals, type Figure, totalsOf } from './totals.ts'
import { type StationProfile, useProfile, useSummary, useTrafficSearch } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

/** More stations are rows with small charts. */
const MAX_MULTIPLES = 6

/** The hours of a day while they are loaded. */
const NO_HOURS: (number | null)[] = Array.from({ length: 24 }, () => null)

/** Traffic of stations by hour of the day, beside an earlier period, and their figures in a table. */
export function TrafficPage() {
  const { t } = useTranslation('traffic')
  const texts = useTrafficTexts()
  const { search, period, earlier, ids, change, scope } = useTrafficSearch('/statistics/traffic')
  const { data: stations = [] } = useLocations()
  const filters = timeClassCountryOf(search)
  const summaries = useSummary(ids, period, filters)
  const before = useSummary(ids, earlier, filters)
  const profiles = useProfile(ids, period, filters)
  const profilesBefore = useProfile(ids, earlier, filters)
  const title = t('core:nav-traffic')
  const earlierName = earlier && texts.earlierName(earlier)

  const shown = stations.filter(({ id }) => ids?.includes(id))
  const hoursIn = (data: readonly StationProfile[] | undefined, id: number) =>
    data?.find(({ location }) => location.id === id)?.dailyMeans ?? NO_HOURS
  const hoursOf = (id: number) => hoursIn(profiles.data, id)
  const earlierHoursOf = (id: number) => hoursIn(profilesBefore.data, id)
  const max = Math.max(
    0,
    ...(ids ?? []).flatMap((id) => [...hoursOf(id), ...earlierHoursOf(id)]).map((value) => value ?? 0),
  )

  const total = summaries.data && totalsOf(summaries.data)
  const compared = summaries.data && before.data && comparedTotals(summaries.data, before.data)
  /** "3 z 5 stacji" of a sum that is not of all. */
  const stationsOf = (known: number | undefined, count: number) =>
    known !== undefined && known > 0 && known < count ? t('some-stations', { known, count }) : null
  /** A change, and of how many stations it is if not of all that have the figure. */
  const noteOf = (figure: Figure, textOf: (now: number | null, before: number | null) => string | null) => {
    if (!total || !compared) return null
    const { now, before, stations } = compared[figure]
    const some = stations < total.stations[figure] && stationsOf(stations, shown.length)
    return [textOf(now, before), some].filter(Boolean).join(' · ')
  }
  const changeOf = (figure: Figure) => noteOf(figure, (now, before) => `${texts.change(now, before)} %`)
  const pointsOf = (figure: Figure) => noteOf(figure, texts.points)
  const adtStations = stationsOf(total?.stations.adt, shown.length)
  const axleStations = stationsOf(total?.stations.n100PerDay, shown.length)
  const notCounted = summaries.data?.[0]?.notCounted
  const notCountedEarlier = before.data?.[0]?.notCounted
  const isEmpty = summaries.data?.every(({ vehicles }) => vehicles === 0) ?? false

  return (
    <TrafficLayout
      title={title}
      criteria={[
        search.locations ? shown.map(({ shortName }) => shortName).join(', ') : t('ui:all-stations'),
        texts.days(period),
      ]}
      scope={scope}
      definitions={t('traffic-definitions')}
      search={search}
      earlier={earlier}
      download={ids && ids.length > 0 && <TrafficDownload ids={ids} period={period} filters={filters} />}
      filters={
        <TrafficFilters
          search={search}
          period={period}
          earlier={earlier}
          earlierError={before.error}
          onChange={change}
          legend={<TrafficLegend earlierName={earlierName} />}
        />
      }
    >
      {isEmpty ? (
        <EmptyState title={t('empty')} hint={texts.days(period)} />
      ) : (
        <>
          {notCounted && <Notice kind="quiet">{t(`not-counted-${notCounted}`)}</Notice>}
          {notCountedEarlier && notCountedEarlier !== notCounted && (
            <Notice kind="quiet">{t('earlier-not-counted', { reason: t(`not-counted-${notCountedEarlier}`) })}</Notice>
          )}
          <Kpis label={t('totals')} isBusy={!total}>
            <Kpi
              name={adtStations ? `${t('adt')}, ${adtStations}` : t('adt-of', { count: shown.length })}
              unit={t('per-day')}
              value={total && texts.tens(total.adt)}
              note={changeOf('adt')}
            />
            <Kpi
              name={t('heavy')}
              unit="%"
              value={total && texts.percent(total.heavyShare)}
              note={pointsOf('heavyShare')}
            />
            <Kpi
              name={t('overloaded-of-judged')}
              unit="%"
              value={total && texts.percent(total.overloadedShare)}
              note={pointsOf('overloadedShare')}
            />
            <Kpi
              name={[t('equivalent-axles'), axleStations].filter(Boolean).join(', ')}
              unit={t('a-day')}
              value={total && texts.tens(total.n100PerDay)}
              note={changeOf('n100PerDay')}
            />
          </Kpis>
          {shown.length <= MAX_MULTIPLES && (
            <div className={css.multiples}>
              {shown.map(({ id, shortName }) => {
                const own = summaries.data?.find(({ location }) => location.id === id)
                const ownBefore = before.data?.find(({ location }) => location.id === id)
                return (
                  <Panel
                    key={id}
                    title={shortName}
                    note={t('vehicles-per-hour')}
                    aside={
                      own && (
                        <>
                          {t('adt')} <b>{texts.tens(own.adt)}</b>{' '}
                          {ownBefore &&
                            own.adt !== null &&
                            ownBefore.adt !== null &&
                            `${texts.change(own.adt, ownBefore.adt)} %`}
                        </>
                      )
                    }
                    result={profiles}
                  >
                    {(data) => (
                      <HourChart
                        name={shortName}
                        hours={hoursOf(id)}
                        earlier={earlierHoursOf(id)}
                        earlierName={earlierName}
                        max={max}
                        counts={data.find(({ location }) => location.id === id)?.weekdays ?? []}
                        archive={{ ...rangeParams(period), locations: [id], ...filters }}
                        period={period}
                      />
                    )}
                  </Panel>
                )
              })}
            </div>
          )}
          <Panel title={t('by-station')} result={summaries}>
            {(data) => (
              <TrafficTable
                summaries={data}
                before={before.data}
                total={total}
                adtStations={adtStations}
                axleStations={axleStations}
                change={compared && texts.change(compared.adt.now, compared.adt.before)}
                hoursOf={shown.length > MAX_MULTIPLES ? hoursOf : undefined}
                max={max}
              />
            )}
          </Panel>
        </>
      )}
    </TrafficLayout>
  )
}

function TrafficLegend({ earlierName }: { earlierName: string | null }) {
  const { t } = useTranslation('traffic')
  return (
    <LegendList label={t('core:legend')}>
      <li>
        <i className={css.swatch} />
        {t('legend-chosen-range')}
      </li>
      {earlierName && (
        <li>
          <svg width="22" height="12" aria-hidden="true">
            <path className={css.stepped} d="M0 9h8V3h14" />
          </svg>
          {earlierName}
        </li>
      )}
      <li>
        <i className={css.swatch} data-tone="chosen" />
        {t('legend-chosen-bar')}
      </li>
    </LegendList>
  )
}
