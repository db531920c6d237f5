import { VisuallyHidden } from '@mantine/core'
import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearErrors, showError } from '../core/errors.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { RailToggle } from '../core/frame/RailToggle.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useBuild } from '../core/useBuild.ts'
import { BackButton, NextButton } from '../ui/StepButtons.tsx'
import { Steps } from '../ui/Steps.tsx'
import { ActiveFilters } from './ActiveFilters.tsx'
import { CriteriaStep } from './CriteriaStep.tsx'
import { ResultStep } from './ResultStep.tsx'
import { SortStep } from './SortStep.tsx'
import { StationTimeStep } from './StationTimeStep.tsx'
import { type ArchiveSearch, canSubmit, changeSearch, missingFields, RESULT, stepsOf } from './search.ts'
import { useArchiveSearch } from './useArchiveSearch.ts'

/** The archive: where and when, what, in which order, and what was found. */
export function ArchivePage() {
  const { t } = useTranslation('archive')
  const { sg } = useBuild()
  const { search, goTo, reset, change, setPage } = useArchiveSearch()
  const [refused, setRefused] = useState(false)
  const [draft, setDraft] = useState<Partial<VehicleFilters>>({})
  const [plateSought, setPlateSought] = useState(false)
  const fields = useRef<HTMLFieldSetElement>(null)

  const steps = stepsOf(sg)
  const step = steps.find((known) => known === search.step) ?? 1
  const sound = canSubmit(search)
  const missing = missingFields(search)

  const refuse = () => {
    setRefused(true)
    showError('required-parameter-missing', missing.locations ? { title: t('core:select-station') } : {})
    if (step !== 1) reset()
  }
  // An address may ask for a later step without what it needs, and so may a bin in the rail.
  useEffect(() => {
    if (step !== 1 && !sound) refuse()
  })

  const set = (changes: Partial<ArchiveSearch>) => {
    setDraft((now) => Object.fromEntries(Object.entries(now).filter(([key]) => !(key in changes))))
    if (refused && canSubmit(changeSearch(search, changes))) {
      setRefused(false)
      clearErrors()
    }
    change(changes)
  }
  /** Whether the fields may be left forwards: one that is wrong keeps the operator, who is led to it. */
  const isSound = () => {
    const wrong = fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    wrong?.focus()
    return !wrong
  }
  /** What was typed goes into the address once its field is left, so that it outlives a reload. */
  const settle = () => {
    const isWrong = fields.current?.querySelector('[aria-invalid="true"]')
    if (!isWrong && Object.keys(draft).length > 0) change(draft)
  }
  const leave = (to: typeof step | undefined, changes: Partial<VehicleFilters>) => {
    if (to) goTo(to, changes)
    setDraft({})
    setPlateSought(false)
  }
  const next = () => {
    if (!isSound()) return
    if (!sound) return refuse()
    leave(steps[steps.indexOf(step) + 1], draft)
  }
  const back = (to = steps[steps.indexOf(step) - 1]) => leave(to, isSound() ? draft : {})
  const seekPlate = () => {
    if (!sound) return refuse()
    setPlateSought(true)
    if (step !== 2) goTo(2)
  }

  useShortcuts([
    ...(step < RESULT ? [{ key: 'Ctrl+Enter', label: t('key-next'), run: next }] : []),
    ...(step > 1 ? [{ key: 'Escape', label: t('key-back'), run: () => back() }] : []),
    ...(sg ? [] : [{ key: '/', label: t('key-plate'), run: seekPlate }]),
  ])

  if (step !== 1 && !sound) return null
  return (
    <PageLayout
      title={
        <Steps
          steps={steps.map((known) => t(`step-${known}`))}
          current={steps.indexOf(step) + 1}
          onPick={(place) => back(steps[place - 1])}
        />
      }
      actions={
        <>
          <RailToggle />
          {step > 1 && <BackButton onClick={() => back()} />}
          {step < RESULT && <NextButton onClick={next} />}
        </>
      }
      rail={<ActiveFilters search={search} onChange={set} />}
    >
      <VisuallyHidden component="h1">{t('title')}</VisuallyHidden>
      {step === 1 && (
        <StationTimeStep
          search={search}
          missing={{ range: refused && missing.range, locations: refused && missing.locations }}
          onChange={set}
        />
      )}
      {step === 2 && (
        <CriteriaStep
          search={{ ...search, ...draft }}
          onChange={set}
          onDraft={(changes) => setDraft((now) => ({ ...now, ...changes }))}
          onSettled={settle}
          plateSought={plateSought}
          fields={fields}
        />
      )}
      {step === 3 && <SortStep search={search} onChange={set} />}
      {step === RESULT && <ResultStep search={search} onPage={setPage} onChange={set} />}
    </PageLayout>
  )
}
