import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { clearErrors, showError } from '../core/errors.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { RailToggle } from '../core/frame/RailToggle.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useBuild } from '../core/useBuild.ts'
import { BackButton, NextButton } from '../ui/StepButtons.tsx'
import { Steps } from '../ui/Steps.tsx'
import { ActiveFilters } from './ActiveFilters.tsx'
import type { StatisticsSearch } from './address.ts'
import { CriteriaStep } from './CriteriaStep.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import { GroupByStep } from './GroupByStep.tsx'
import { isLocked, rangeOf } from './presets.ts'
import { StationTimeStep } from './StationTimeStep.tsx'
import { StatisticsResult } from './StatisticsResult.tsx'
import { canSubmit, changeSearch, missingFields, stepsOf, toQuery } from './search.ts'
import { useAnswer } from './useStatistics.ts'
import { useStatisticsSearch } from './useStatisticsSearch.ts'

/** Statistics: where, when and how fine; what; divided and drawn how; and the result. */
export function StatisticsPage() {
  const { t } = useTranslation('statistics')
  const { sg } = useBuild()
  const { search, entering, goTo, show, reset, change } = useStatisticsSearch()
  const [refused, setRefused] = useState(false)

  const steps = stepsOf(sg)
  const step = steps.find((known) => known === search.step) ?? 1
  const sound = canSubmit(search)
  const missing = missingFields(search)
  const question = search.result && toQuery(search)
  const isFirst = step === 1 && !search.result
  const { data: answer, isLoading } = useAnswer(search)
  // A range that moves with the clock is the one of the figures.
  const shown = answer
    ? { ...search, dateTimeStart: answer.question.dateTimeStart, dateTimeEnd: answer.question.dateTimeEnd }
    : search

  const refuse = () => {
    setRefused(true)
    showError('required-parameter-missing', missing.locations ? { title: t('core:select-station') } : {})
    if (!isFirst) reset()
  }
  // An address may ask for a later step without what it needs, and so may a bin in the rail.
  useEffect(() => {
    if (!entering && !isFirst && !sound) refuse()
  })

  const set = (changes: Partial<StatisticsSearch>) => {
    if (refused && canSubmit(changeSearch(search, changes))) {
      setRefused(false)
      clearErrors()
    }
    change(changes)
  }
  const next = () => {
    if (!sound) return refuse()
    const following = steps[steps.indexOf(step) + 1]
    if (following) goTo(following)
    // A range that is held fast ends now, whenever the preset was chosen.
    else show(isLocked(search, 'end') ? rangeOf(search.preset ?? 'basic', serverNow()) : {})
  }
  const back = () => {
    const before = search.result ? 1 : steps[steps.indexOf(step) - 1]
    if (before) goTo(before)
  }

  useShortcuts([
    ...(search.result ? [] : [{ key: 'Ctrl+Enter', label: t('key-next'), run: next }]),
    ...(isFirst ? [] : [{ key: 'Escape', label: t('key-back'), run: back }]),
  ])

  if (entering || (!isFirst && !sound)) return null
  return (
    <PageLayout
      title={
        <Steps
          steps={[...steps.map((known) => t(`step-${known}`)), t('step-result')]}
          current={search.result ? steps.length + 1 : steps.indexOf(step) + 1}
          onPick={(place) => goTo(steps[place - 1] ?? 1)}
        />
      }
      actions={
        <>
          <RailToggle />
          {question && (
            <DownloadMenu
              place="statistics"
              question={answer?.question ?? question}
              statistics={answer?.statistics}
              isPending={isLoading}
            />
          )}
          {!isFirst && <BackButton onClick={back} />}
          {!search.result && <NextButton onClick={next} {...(step === steps.at(-1) && { label: t('show') })} />}
        </>
      }
      rail={<ActiveFilters search={shown} onChange={set} />}
    >
      <VisuallyHidden component="h1">{t('title')}</VisuallyHidden>
      {question ? (
        <StatisticsResult search={search} />
      ) : (
        <>
          {step === 1 && (
            <StationTimeStep
              search={search}
              missing={{
                range: refused && missing.range,
                locations: refused && missing.locations,
                resolution: refused && missing.resolution,
              }}
              onChange={set}
            />
          )}
          {step === 2 && <CriteriaStep search={search} onChange={set} />}
          {step === 3 && <GroupByStep search={search} onChange={set} />}
        </>
      )}
    </PageLayout>
  )
}
