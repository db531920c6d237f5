import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WizardLayout } from '../core/frame/WizardLayout.tsx'
import { isNothingMissing, missingFieldsOf } from '../core/requiredFields.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { useBuild } from '../core/useBuild.ts'
import { useRequiredFields } from '../core/useRequiredFields.ts'
import { focusInvalidField, invalidField } from '../ui/invalidField.ts'
import { ViewsButton } from '../views/publicApi.ts'
import { ActiveFilters } from './ActiveFilters.tsx'
import { CriteriaStep } from './CriteriaStep.tsx'
import { ResultStep } from './ResultStep.tsx'
import { SortStep } from './SortStep.tsx'
import { StationTimeStep } from './StationTimeStep.tsx'
import { type ArchiveSearch, changeSearch, RESULT, stepsOf } from './search.ts'
import { useArchiveSearch } from './useArchiveSearch.ts'

/** Archive wizard: stations and time, conditions, sorting, result. */
export function ArchivePage() {
  const { t } = useTranslation('archive')
  const { sg } = useBuild()
  const { search, goTo, reset, change, setPage } = useArchiveSearch()
  const [draft, setDraft] = useState<Partial<VehicleFilters>>({})
  const [isPlateFocused, setIsPlateFocused] = useState(false)
  const fields = useRef<HTMLFieldSetElement>(null)

  const steps = stepsOf(sg)
  const step = steps.find((option) => option === search.step) ?? 1
  const missing = missingFieldsOf(search)
  const required = useRequiredFields({ missing, isFirst: step === 1, reset })

  const applyChanges = (changes: Partial<ArchiveSearch>) => {
    setDraft((now) => Object.fromEntries(Object.entries(now).filter(([key]) => !(key in changes))))
    required.recheck(missingFieldsOf(changeSearch(search, changes)))
    change(changes)
  }
  /** Whether the fields are valid; else focuses the invalid one. */
  const isValid = () => !focusInvalidField(fields.current)
  /** Typed values are written to the URL on blur, so that they survive a reload. */
  const commitDraft = () => {
    if (!invalidField(fields.current) && Object.keys(draft).length > 0) change(draft)
  }
  const goToStep = (target: typeof step | undefined, changes: Partial<VehicleFilters>) => {
    if (target) goTo(target, changes)
    setDraft({})
    setIsPlateFocused(false)
  }
  const next = () => {
    if (!isValid()) return
    if (!isNothingMissing(missing)) return required.reject()
    goToStep(steps[steps.indexOf(step) + 1], draft)
  }
  const goBack = (target: typeof step | undefined) => goToStep(target, isValid() ? draft : {})
  const focusPlate = () => {
    if (!isNothingMissing(missing)) return required.reject()
    setIsPlateFocused(true)
    if (step !== 2) goTo(2)
  }

  useShortcuts(sg ? [] : [{ key: '/', label: t('key-plate'), run: focusPlate }])

  if (required.isBlocked) return null
  return (
    <WizardLayout
      title={t('title')}
      steps={steps.map((option) => t(`step-${option}`))}
      current={steps.indexOf(step) + 1}
      onPick={(number) => goBack(steps[number - 1])}
      next={step < RESULT ? { run: next } : undefined}
      actions={<ViewsButton page="archive" search={search} />}
      filterPanel={<ActiveFilters search={search} onChange={applyChanges} />}
    >
      {step === 1 && <StationTimeStep search={search} missing={required.invalid} onChange={applyChanges} />}
      {step === 2 && (
        <CriteriaStep
          search={{ ...search, ...draft }}
          onChange={applyChanges}
          onDraft={(changes) => setDraft((now) => ({ ...now, ...changes }))}
          onCommit={commitDraft}
          isPlateFocused={isPlateFocused}
          fields={fields}
        />
      )}
      {step === 3 && <SortStep search={search} onChange={applyChanges} />}
      {step === RESULT && <ResultStep search={search} onPage={setPage} onChange={applyChanges} />}
    </WizardLayout>
  )
}
