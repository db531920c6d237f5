import { Select } from '@mantine/core'
import type { WireLocation } from '@rogatka/contract/locations.ts'
import type { Category } from '@rogatka/contract/vehicle.ts'
import { HEAVY_CATEGORIES } from '@rogatka/domain/statistics/dailyTraffic.ts'
import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { useLocations } from '../locations/publicApi.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterSection } from '../ui/FilterSection.tsx'
import { LegendList } from '../ui/LegendList.tsx'
import { CategoryChoice } from '../ui/vehicle/CategoryChoice.tsx'
import { LaneChoice } from '../ui/vehicle/LaneChoice.tsx'
import { useFilterTexts } from '../vehicle/publicApi.ts'
import { AveragesPanel } from './AveragesPanel.tsx'
import { AxlePanel } from './AxlePanel.tsx'
import { CategoryPanel } from './CategoryPanel.tsx'
import { EquivalentsPanel } from './EquivalentsPanel.tsx'
import { GrossPanel } from './GrossPanel.tsx'
import { HeadwayPanel } from './HeadwayPanel.tsx'
import { Kpi, Kpis } from './Kpis.tsx'
import { SpeedPanel } from './SpeedPanel.tsx'
import { isOver, rangeParams, type TrafficSearch, timeClassCountryOf } from './search.ts'
import { shareOf } from './share.ts'
import css from './Traffic.module.css'
import { TrafficDownload } from './TrafficDownload.tsx'
import { TrafficFilters } from './TrafficFilters.tsx'
import { TrafficLayout } from './TrafficLayout.tsx'
import {
  firstOf,
  today,
  useEquivalents,
  useHeadways,
  useLoads,
  useProfile,
  useSpeeds,
  useSummary,
  useTrafficSearch,
} from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'
import { WeekPanel } from './WeekPanel.tsx'

const HEAVY = HEAVY_CATEGORIES.map((category) => String(category) as Category)

/** Loads, speeds and headways of one station. */
export function LoadsPage() {
  const { t } = useTranslation('traffic')
  const texts = useTrafficTexts()
  const { criteriaTexts } = useFilterTexts()
  const { search, period, earlier, ids, change, scope } = useTrafficSearch('/statistics/loads')
  const { data: stations = [] } = useLocations()
  const shown = stations.filter(({ id }) => ids?.includes(id))
  const stationOf = (some: readonly WireLocation[]): WireLocation | undefined =>
    some.find(({ id }) => id === search.station) ?? some[0]
  const station = stationOf(shown)
  const own = station && [station.id]
  const { ctg8p1 = [] } = search
  const ownLanes = station?.lanes.map(({ laneNumber }) => laneNumber) ?? []
  // A link may have lanes of another station.
  const lanes = (search.lanes ?? []).filter((lane) => ownLanes.includes(lane))
  const filters = timeClassCountryOf(search)
  const ofLanes = { ...filters, ...(lanes.length > 0 && { laneNumbers: lanes }) }
  const ofAll = { ...ofLanes, ...(ctg8p1.length > 0 && { ctg8p1 }) }
  // Without a choice, loads are those of heavy vehicles.
  const loadCategories = ctg8p1.length > 0 ? ctg8p1 : HEAVY
  const ofHeavy = { ...ofLanes, ctg8p1: loadCategories }

  const summary = firstOf(useSummary(own, period, ofAll))
  // Its note says that it is of all lanes, with a row for each category.
  const byCategory = firstOf(useSummary(own, period, filters))
  const loads = firstOf(useLoads(own, period, ofHeavy))
  const loadsBefore = firstOf(useLoads(own, earlier, ofHeavy))
  const equivalents = firstOf(useEquivalents(own, period, ofHeavy))
  const equivalentsBefore = firstOf(useEquivalents(own, earlier, ofHeavy))
  const profile = firstOf(useProfile(own, period, ofAll))
  const profileBefore = firstOf(useProfile(own, earlier, ofAll))
  const speeds = firstOf(useSpeeds(own, period, ofAll))
  const headways = firstOf(useHeadways(own, period, ofLanes))

  /** Changes the search; lanes are those of one station. */
  const changeFilters = (changes: Partial<TrafficSearch>) => {
    const { locations } = changes
    const chosen = locations?.length ? stations.filter(({ id }) => locations.includes(id)) : stations
    const isOther = 'locations' in changes && stationOf(chosen)?.id !== station?.id
    change(isOther ? { ...changes, lanes: undefined } : changes)
  }

  const title = t('core:nav-loads')
  const overloadedShare = (data: typeof loads.data) => (data ? shareOf(data.overloaded, data.judged) : null)
  const n100 = equivalents.data?.n100PerDay ?? null
  const archive = {
    ...rangeParams(period),
    locations: own,
    ...ofLanes,
  }
  const ofChosen = ctg8p1.length > 0 ? { ...archive, ctg8p1 } : archive
  const kinds = ctg8p1.length > 0 ? t('chosen-categories') : t('heavy-vehicles')

  return (
    <TrafficLayout
      title={title}
      criteria={[
        station?.shortName ?? '',
        texts.days(period),
        ...(lanes.length > 0 ? [`${criteriaTexts.lanes}: ${lanes.join(', ')}`] : []),
        ...(ctg8p1.length > 0 ? [ctg8p1.map(criteriaTexts.categoryName).join(', ')] : []),
      ]}
      scope={scope}
      definitions={t('loads-definitions')}
      search={search}
      earlier={earlier}
      download={own && <TrafficDownload ids={own} period={period} filters={{ ...ofAll, loadCtg8p1: loadCategories }} />}
      filters={
        <TrafficFilters
          search={search}
          period={period}
          earlier={earlier}
          earlierError={loadsBefore.error}
          onChange={changeFilters}
          legend={<LoadsLegend />}
        >
          {station && (
            <FilterSection title={t('shown-station')}>
              <div className={css.options}>
                <Select
                  aria-label={t('shown-station')}
                  data={shown.map(({ id, shortName }) => ({ value: String(id), label: shortName }))}
                  value={String(station.id)}
                  onChange={(id) => change({ station: Number(id), lanes: undefined })}
                  allowDeselect={false}
                  searchable
                  comboboxProps={{ transitionProps: { duration: 0 } }}
                />
              </div>
            </FilterSection>
          )}
          {station && (
            <FilterSection
              title={criteriaTexts.lanes}
              {...(lanes.length > 0 && { onRemove: () => change({ lanes: undefined }) })}
            >
              <div className={css.options}>
                <LaneChoice
                  label={criteriaTexts.lanes}
                  lanes={ownLanes}
                  selected={lanes}
                  onToggle={(lane) => change({ lanes: toggle(lanes, lane) })}
                />
              </div>
            </FilterSection>
          )}
          <FilterSection
            title={criteriaTexts.categories}
            {...(ctg8p1.length > 0 && { onRemove: () => change({ ctg8p1: undefined }) })}
          >
            <div className={css.options}>
              <CategoryChoice
                label={criteriaTexts.categories}
                selected={ctg8p1}
                onToggle={(category) => change({ ctg8p1: toggle(ctg8p1, category) })}
                nameOf={criteriaTexts.categoryName}
              />
            </div>
          </FilterSection>
        </TrafficFilters>
      }
    >
      {byCategory.data?.vehicles === 0 ? (
        <EmptyState title={t('empty')} hint={`${station?.shortName}, ${texts.days(period)}`} />
      ) : (
        <>
          <Kpis label={t('totals')} isBusy={!loads.data}>
            <Kpi
              name={t('weighed', { kinds })}
              value={loads.data && texts.number(loads.data.weighed)}
              // Vehicles until now are no change to those of whole days.
              note={
                isOver(period, today()) &&
                loads.data &&
                loadsBefore.data &&
                earlier &&
                texts.countChange([loads.data.weighed, period], [loadsBefore.data.weighed, earlier], filters.weekdays)
              }
            />
            <Kpi
              name={t('overloaded')}
              unit="%"
              value={loads.data && texts.percent(overloadedShare(loads.data))}
              note={
                loads.data &&
                [
                  texts.number(loads.data.overloaded),
                  texts.points(overloadedShare(loads.data), overloadedShare(loadsBefore.data)),
                ]
                  .filter(Boolean)
                  .join(' · ')
              }
            />
            <Kpi
              name={t('mean-mass')}
              unit="t"
              value={loads.data && texts.number(loads.data.meanLoad === null ? null : loads.data.meanLoad / 1_000, 2)}
              note={
                loads.data?.meanLoad != null &&
                loadsBefore.data?.meanLoad != null &&
                `${texts.signed((loads.data.meanLoad - loadsBefore.data.meanLoad) / 1_000, 2)} t`
              }
            />
            <Kpi
              name={t('equivalent-axles')}
              unit={t('a-day')}
              value={equivalents.data && texts.tens(n100)}
              note={[kinds, equivalentsBefore.data && `${texts.change(n100, equivalentsBefore.data.n100PerDay)} %`]
                .filter(Boolean)
                .join(' · ')}
            />
            <Kpi
              name={t('wear-by-overloaded')}
              unit="%"
              value={equivalents.data && texts.percent(equivalents.data.overloadedShare)}
              note={loads.data && t('of-vehicles', { percent: texts.percent(overloadedShare(loads.data)) })}
            />
          </Kpis>
          <div className={css.multiples}>
            <WeekPanel result={profile} before={profileBefore.data} period={period} archive={ofChosen} />
            <SpeedPanel result={speeds} archive={ofChosen} />
            <GrossPanel
              result={loads}
              of={{ station, lanes }}
              kinds={kinds}
              archive={{ ...archive, ctg8p1: loadCategories }}
            />
            <AxlePanel
              result={loads}
              n100={equivalents.data?.n100}
              of={{ station, lanes }}
              kind={search.axle ?? 'single'}
              unit={search.unit ?? 't'}
              onChange={change}
            />
            <HeadwayPanel result={headways} />
            <EquivalentsPanel result={equivalents} />
            <CategoryPanel result={byCategory} />
            <AveragesPanel result={summary} />
          </div>
        </>
      )}
    </TrafficLayout>
  )
}

function LoadsLegend() {
  const { t } = useTranslation('traffic')
  return (
    <LegendList label={t('core:legend')}>
      {(['tolerated', 'certain', 'above'] as const).map((tone) => (
        <li key={tone}>
          <i className={css.swatch} data-tone={tone} />
          {t(`legend-${tone}`)}
        </li>
      ))}
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <path className={css.stepped} d="M11 0v12" />
        </svg>
        {t('legend-limit')}
      </li>
    </LegendList>
  )
}
