import { Button } from '@mantine/core'
import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearErrors, showError } from '../core/errors.ts'
import { WizardLayout } from '../core/frame/WizardLayout.tsx'
import { lazyPart } from '../core/lazyPage.tsx'
import { useBuild } from '../core/useBuild.ts'
import { focusInvalidField } from '../ui/invalidField.ts'
import { changeFilters } from '../vehicle/publicApi.ts'
import { ViewsButton } from '../views/publicApi.ts'
import { ActiveFilters } from './ActiveFilters.tsx'
import { FilterStep } from './FilterStep.tsx'
import { LiveStep } from './LiveStep.tsx'
import { pauseLive, stopLive } from './live.ts'
import { canStartLive, stepsOf } from './search.ts'
import { useCurrentSearch } from './useCurrentSearch.ts'

// Lazy: its number fields are a tenth of the page's script.
const VehicleDataStep = lazyPart('VehicleDataStep', () => import('./VehicleDataStep.tsx'))

/** Wizard of current measurements: filters, vehicle data, live list. */
export function CurrentWizard() {
  const { t } = useTranslation('current')
  const { sg } = useBuild()
  const { search, goTo, reset, change, setOrder } = useCurrentSearch()
  const [missing, setMissing] = useState(false)
  const [draft, setDraft] = useState<Partial<VehicleFilters>>({})
  const fields = useRef<HTMLDivElement>(null)

  const steps = stepsOf(sg)
  const step = steps.find((option) => option === search.step) ?? 1
  const isRejected = step === 3 && !canStartLive(search)

  useEffect(() => {
    if (step === 1) stopLive()
    if (step === 2) pauseLive()
  }, [step])

  const reject = () => {
    setMissing(true)
    showError('required-parameter-missing', { title: t('core:select-station') })
    if (step !== 1) reset()
  }
  useEffect(() => {
    if (isRejected) reject()
  })

  const applyChanges = (changes: Partial<VehicleFilters>) => {
    if (changes.locations?.length) {
      setMissing(false)
      clearErrors()
    }
    change(changes)
  }
  /** Whether step 2 is valid; else focuses the invalid field. */
  const isValid = () => !focusInvalidField(fields.current)
  const apply = () => {
    if (!isValid()) return
    change(draft)
    setDraft({})
  }
  const next = () => {
    if (step === 2 && !isValid()) return
    const nextStep = steps[steps.indexOf(step) + 1]
    if (nextStep === 3 && !canStartLive(search)) return reject()
    if (nextStep) goTo(nextStep, draft)
    setDraft({})
  }
  const goBack = (target: typeof step | undefined) => {
    setMissing(false)
    if (target) goTo(target, isValid() ? draft : {})
    setDraft({})
  }

  if (isRejected) return null
  return (
    <WizardLayout
      title={t('core:nav-current')}
      steps={steps.map((option) => t(`step-${option}`))}
      current={steps.indexOf(step) + 1}
      onPick={(number) => goBack(steps[number - 1])}
      next={step < 3 ? { run: next } : undefined}
      actions={
        <>
          <ViewsButton page="current" search={search} />
          {step === 2 && (
            <Button variant="default" onClick={apply}>
              {t('ui:apply')}
            </Button>
          )}
        </>
      }
      filterPanel={<ActiveFilters search={search} watching={step === 3} onChange={applyChanges} />}
    >
      {step === 1 && (
        <FilterStep
          search={search}
          sg={sg}
          stationsMissing={missing}
          onChange={applyChanges}
          onOrder={setOrder}
          onVehicleData={() => goTo(2)}
        />
      )}
      {step === 2 && (
        <VehicleDataStep
          draft={changeFilters(search, draft)}
          onDraft={(changes) => setDraft((now) => ({ ...now, ...changes }))}
          onChange={applyChanges}
          fields={fields}
        />
      )}
      {step === 3 && <LiveStep search={search} />}
    </WizardLayout>
  )
}
