import { Button, VisuallyHidden } from '@mantine/core'
import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearErrors, showError } from '../core/errors.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { RailToggle } from '../core/frame/RailToggle.tsx'
import { lazyPart } from '../core/lazyPage.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useBuild } from '../core/useBuild.ts'
import { BackButton, NextButton } from '../ui/StepButtons.tsx'
import { Steps } from '../ui/Steps.tsx'
import { changeFilters } from '../vehicle/useVehicleFilters.ts'
import { ActiveFilters } from './ActiveFilters.tsx'
import { FilterStep } from './FilterStep.tsx'
import { LiveStep } from './LiveStep.tsx'
import { pauseLive, stopLive } from './live.ts'
import { canStartLive, stepsOf } from './search.ts'
import { useCurrentSearch } from './useCurrentSearch.ts'

// Its fields for numbers are worth a tenth of the page.
const VehicleDataStep = lazyPart('VehicleDataStep', () => import('./VehicleDataStep.tsx'))

/** Current measurements: filters, vehicle data, the live list. */
export function CurrentWizard() {
  const { t } = useTranslation('current')
  const { sg } = useBuild()
  const { search, goTo, reset, change, setOrder } = useCurrentSearch()
  const [missing, setMissing] = useState(false)
  const [draft, setDraft] = useState<Partial<VehicleFilters>>({})
  const fields = useRef<HTMLDivElement>(null)

  const steps = stepsOf(sg)
  const step = steps.find((known) => known === search.step) ?? 1
  const refused = step === 3 && !canStartLive(search)

  useEffect(() => {
    if (step === 1) stopLive()
    if (step === 2) pauseLive()
  }, [step])

  const refuse = () => {
    setMissing(true)
    showError('required-parameter-missing', { title: t('core:select-station') })
    if (step !== 1) reset()
  }
  useEffect(() => {
    if (refused) refuse()
  })

  const set = (changes: Partial<VehicleFilters>) => {
    if (changes.locations?.length) {
      setMissing(false)
      clearErrors()
    }
    change(changes)
  }
  /** Whether step 2 may be left forwards: a field that is wrong keeps the operator, who is led to it. */
  const isSound = () => {
    const wrong = fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    wrong?.focus()
    return !wrong
  }
  const apply = () => {
    if (!isSound()) return
    change(draft)
    setDraft({})
  }
  const next = () => {
    if (step === 2 && !isSound()) return
    const following = steps[steps.indexOf(step) + 1]
    if (following === 3 && !canStartLive(search)) return refuse()
    if (following) goTo(following, draft)
    setDraft({})
  }
  const back = (to = steps[steps.indexOf(step) - 1]) => {
    setMissing(false)
    if (to) goTo(to, isSound() ? draft : {})
    setDraft({})
  }

  useShortcuts([
    ...(step < 3 ? [{ key: 'Ctrl+Enter', label: t('key-next'), run: next }] : []),
    ...(step > 1 ? [{ key: 'Escape', label: t('key-back'), run: () => back() }] : []),
  ])

  if (refused) return null
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
          {step === 2 && (
            <Button variant="default" onClick={apply}>
              {t('apply')}
            </Button>
          )}
          {step > 1 && <BackButton onClick={() => back()} />}
          {step < 3 && <NextButton onClick={next} />}
        </>
      }
      rail={<ActiveFilters search={search} watching={step === 3} onChange={set} />}
    >
      <VisuallyHidden component="h1">{t('title')}</VisuallyHidden>
      {step === 1 && (
        <FilterStep
          search={search}
          sg={sg}
          stationsMissing={missing}
          onChange={set}
          onOrder={setOrder}
          onVehicleData={() => goTo(2)}
        />
      )}
      {step === 2 && (
        <VehicleDataStep
          draft={changeFilters(search, draft)}
          onDraft={(changes) => setDraft((now) => ({ ...now, ...changes }))}
          onChange={set}
          fields={fields}
        />
      )}
      {step === 3 && <LiveStep search={search} />}
    </PageLayout>
  )
}
