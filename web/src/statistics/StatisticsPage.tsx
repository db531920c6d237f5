import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { PrintButton } from '../core/frame/PrintButton.tsx'
import { PrintedHead } from '../core/frame/PrintedHead.tsx'
import { StatisticsTabs } from '../core/frame/StatisticsTabs.tsx'
import { WizardLayout } from '../core/frame/WizardLayout.tsx'
import { isNothingMissing } from '../core/requiredFields.ts'
import { useBuild } from '../core/useBuild.ts'
import { useRequiredFields } from '../core/useRequiredFields.ts'
import { usePrinting } from '../ui/usePrinting.ts'
import { ViewsButton } from '../views/publicApi.ts'
import { ActiveFilters } from './ActiveFilters.tsx'
import { CriteriaStep } from './CriteriaStep.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import { GroupByStep } from './GroupByStep.tsx'
import { isLocked, rangeOf } from './presets.ts'
import { StationTimeStep } from './StationTimeStep.tsx'
import { StatisticsResult } from './StatisticsResult.tsx'
import { changeSearch, missingFields, stepsOf, toQuery } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'
import { usePrintedCriteria } from './usePrintedCriteria.ts'
import { useStatisticsQuery } from './useStatistics.ts'
import { useStatisticsSearch } from './useStatisticsSearch.ts'

/** Statistics wizard: stations, time range and resolution; conditions; figure, grouping and chart; result. */
export function StatisticsPage() {
  const { t } = useTranslation('statistics')
  const { sg } = useBuild()
  const { search, entering, goTo, show, reset, change } = useStatisticsSearch()

  const steps = stepsOf(sg)
  const step = steps.find((option) => option === search.step) ?? 1
  const missing = missingFields(search)
  const query = search.result && toQuery(search)
  const isFirst = step === 1 && !search.result
  const { data: loaded, isLoading } = useStatisticsQuery(search)
  // A moving range: uses the range of the loaded statistics.
  const displayedSearch = loaded
    ? { ...search, dateTimeStart: loaded.query.dateTimeStart, dateTimeEnd: loaded.query.dateTimeEnd }
    : search

  const isPrinting = usePrinting()
  const printedCriteria = usePrintedCriteria(displayedSearch)

  const required = useRequiredFields({ missing, isFirst, entering, reset })

  const applyChanges = (changes: Partial<StatisticsSearch>) => {
    required.recheck(missingFields(changeSearch(search, changes)))
    change(changes)
  }
  const next = () => {
    if (!isNothingMissing(missing)) return required.reject()
    const nextStep = steps[steps.indexOf(step) + 1]
    if (nextStep) goTo(nextStep)
    // A locked end is now, not the time when the preset was selected.
    else show(isLocked(search, 'end') ? rangeOf(search.preset ?? 'basic', serverNow()) : {})
  }
  const goBack = () => {
    const previousStep = search.result ? 1 : steps[steps.indexOf(step) - 1]
    if (previousStep) goTo(previousStep)
  }

  if (required.isBlocked) return null
  return (
    <WizardLayout
      title={t('core:nav-statistics')}
      tabs={<StatisticsTabs />}
      steps={[...steps.map((option) => t(`step-${option}`)), t('step-result')]}
      current={search.result ? steps.length + 1 : steps.indexOf(step) + 1}
      onPick={(number) => goTo(steps[number - 1] ?? 1)}
      onBack={goBack}
      next={search.result ? undefined : { run: next, label: step === steps.at(-1) ? t('show') : undefined }}
      actions={
        <>
          {query && <PrintButton />}
          <ViewsButton page="statistics" search={search} />
          {query && (
            <DownloadMenu
              group="statistics"
              query={loaded?.query ?? query}
              statistics={loaded?.statistics}
              isPending={isLoading}
            />
          )}
        </>
      }
      // Print has the filters in words.
      filterPanel={query && isPrinting ? undefined : <ActiveFilters search={displayedSearch} onChange={applyChanges} />}
    >
      {query && isPrinting && <PrintedHead title={t('core:nav-statistics')} criteria={printedCriteria} />}
      {query ? (
        <StatisticsResult search={search} onChange={(changes) => change({ ...changes, result: true })} />
      ) : (
        <>
          {step === 1 && <StationTimeStep search={search} missing={required.invalid} onChange={applyChanges} />}
          {step === 2 && <CriteriaStep search={search} onChange={applyChanges} />}
          {step === 3 && <GroupByStep search={search} onChange={applyChanges} />}
        </>
      )}
    </WizardLayout>
  )
}
