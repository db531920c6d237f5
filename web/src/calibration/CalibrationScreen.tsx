import { Button, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearErrors, showError } from '../core/errors.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { RailToggle } from '../core/frame/RailToggle.tsx'
import { useLanguage } from '../core/language.ts'
import { queryClient } from '../core/queryClient.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { BackButton } from '../ui/StepButtons.tsx'
import { Steps } from '../ui/Steps.tsx'
import { ActiveFilters } from './ActiveFilters.tsx'
import { CalibrationResult } from './CalibrationResult.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import { FinishDates } from './FinishDates.tsx'
import { FinishForm } from './FinishForm.tsx'
import css from './Result.module.css'
import { StationTimeStep } from './StationTimeStep.tsx'
import { type CalibrationSearch, canSubmit, changeSearch, type Kind, missingFields, pathOf } from './search.ts'
import { calibrationQuery, invalidateCalibration } from './useCalibration.ts'
import { useCalibrationSearch } from './useCalibrationSearch.ts'

const FORM = 'calibration-finish'

/** One of the calibration screens: where and when, and what was found; mean loads also take finish dates. */
export function CalibrationScreen({ kind }: { kind: Kind }) {
  const { t } = useTranslation('calibration')
  const language = useLanguage()
  const { search, entering, goTo, reset, change, unsupported } = useCalibrationSearch(kind)
  const quiet = useWarningToast()
  const [refused, setRefused] = useState(false)
  const [asking, setAsking] = useState(false)
  const [adding, setAdding] = useState(false)
  const sound = canSubmit(search)
  const missing = missingFields(search)
  const step = search.step ?? 1

  useEffect(() => {
    if (unsupported) console.warn('This resolution is not supported.')
  }, [unsupported])

  const refuse = () => {
    setRefused(true)
    showError('required-parameter-missing', missing.locations ? { title: t('core:select-station') } : {})
    if (step !== 1) reset()
  }
  // An address may ask for the result without what it needs, and so may a bin in the rail.
  useEffect(() => {
    if (!entering && step !== 1 && !sound) refuse()
  })

  const set = (changes: Partial<CalibrationSearch>) => {
    if (refused && canSubmit(changeSearch(search, changes))) {
      setRefused(false)
      clearErrors()
    }
    change(changes)
  }
  const apply = async () => {
    if (asking) return
    if (!sound) return refuse()
    setAsking(true)
    try {
      await queryClient.fetchQuery({ ...calibrationQuery(kind, search, language), staleTime: 0 })
      // The operator may have gone elsewhere meanwhile.
      if (location.pathname === pathOf[kind]) goTo(2)
    } catch (error) {
      quiet(t('failed'), error)
    } finally {
      setAsking(false)
    }
  }
  const back = () => {
    invalidateCalibration(kind)
    goTo(1)
  }

  useShortcuts([
    ...(step === 1 ? [{ key: 'Ctrl+Enter', label: t('apply'), run: () => void apply() }] : []),
    ...(step === 2 ? [{ key: 'Escape', label: t('key-back'), run: back }] : []),
  ])

  if (entering || (step !== 1 && !sound)) return null
  return (
    <PageLayout
      title={<Steps steps={[t('step-1'), t('step-2')]} current={step} onPick={back} />}
      actions={
        <>
          <RailToggle />
          {kind === 'load' && (
            <Button
              variant="default"
              leftSection={<PlusIcon />}
              aria-expanded={adding}
              aria-controls={FORM}
              aria-label={t('finish')}
              onClick={() => setAdding((now) => !now)}
            >
              <span className={css.wideOnly}>{t('finish')}</span>
            </Button>
          )}
          {step === 2 && <DownloadMenu kind={kind} search={search} />}
          {step === 2 && <BackButton onClick={back} />}
          {step === 1 && (
            <Button loading={asking} onClick={() => void apply()}>
              {t('apply')}
            </Button>
          )}
        </>
      }
      rail={<ActiveFilters kind={kind} search={search} charted={step === 2} onChange={set} />}
    >
      <VisuallyHidden component="h1">{t(`title-${kind}`)}</VisuallyHidden>
      {adding && <FinishForm id={FORM} locations={search.locations ?? []} onSaved={() => setAdding(false)} />}
      {step === 1 ? (
        <StationTimeStep
          kind={kind}
          search={search}
          missing={{ range: refused && missing.range, locations: refused && missing.locations }}
          onChange={set}
        />
      ) : (
        <CalibrationResult kind={kind} search={search} />
      )}
      {kind === 'load' && (adding || step === 2) && search.locations && search.locations.length > 0 && (
        <FinishDates locations={search.locations} />
      )}
    </PageLayout>
  )
}
