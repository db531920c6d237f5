import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { UpkeepTabs } from '../core/frame/UpkeepTabs.tsx'
import { WizardLayout } from '../core/frame/WizardLayout.tsx'
import { useLanguage } from '../core/language.ts'
import { queryClient } from '../core/queryClient.ts'
import { isNothingMissing, missingFieldsOf } from '../core/requiredFields.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { hasDraft } from '../core/useDraft.ts'
import { useRequiredFields } from '../core/useRequiredFields.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { ActiveFilters } from './ActiveFilters.tsx'
import { CalibrationResult } from './CalibrationResult.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import { FinishDates } from './FinishDates.tsx'
import { FINISH_DRAFT, FinishForm } from './FinishForm.tsx'
import css from './Result.module.css'
import { StationTimeStep } from './StationTimeStep.tsx'
import { type CalibrationSearch, changeSearch, type Kind, pathOf } from './search.ts'
import { calibrationQuery, invalidateCalibration } from './useCalibration.ts'
import { useCalibrationSearch } from './useCalibrationSearch.ts'

const FORM = 'calibration-finish'

/** Calibration wizard: stations and time range, result; the page of mean loads also records calibrations. */
export function CalibrationWizard({ kind }: { kind: Kind }) {
  const { t } = useTranslation('calibration')
  const language = useLanguage()
  const { search, entering, goTo, reset, change, hasUnsupportedResolution } = useCalibrationSearch(kind)
  const showWarning = useWarningToast()
  const [isLoading, setIsLoading] = useState(false)
  const [isFormOpen, setIsFormOpen] = useState(() => kind === 'load' && hasDraft(FINISH_DRAFT))
  const missing = missingFieldsOf(search)
  const step = search.step ?? 1
  const required = useRequiredFields({ missing, isFirst: step === 1, entering, reset })

  useEffect(() => {
    if (hasUnsupportedResolution) console.warn('This resolution is not supported.')
  }, [hasUnsupportedResolution])

  const applyChanges = (changes: Partial<CalibrationSearch>) => {
    required.recheck(missingFieldsOf(changeSearch(search, changes)))
    change(changes)
  }
  const apply = async () => {
    if (isLoading) return
    if (!isNothingMissing(missing)) return required.reject()
    setIsLoading(true)
    try {
      await queryClient.fetchQuery({ ...calibrationQuery(kind, search, language), staleTime: 0 })
      // The user may have left the page in the meantime.
      if (location.pathname === pathOf[kind]) goTo(2)
    } catch (error) {
      showWarning(t('failed'), error)
    } finally {
      setIsLoading(false)
    }
  }
  const goBack = () => {
    invalidateCalibration(kind)
    goTo(1)
  }

  useShortcuts(step === 1 ? [{ key: 'Ctrl+Enter', label: t('ui:apply'), run: () => void apply() }] : [])

  if (required.isBlocked) return null
  return (
    <WizardLayout
      title={t(`title-${kind}`)}
      tabs={<UpkeepTabs />}
      steps={[t('step-1'), t('step-2')]}
      current={step}
      onPick={goBack}
      actions={
        <>
          {kind === 'load' && (
            <Button
              variant="default"
              leftSection={<PlusIcon />}
              aria-expanded={isFormOpen}
              aria-controls={FORM}
              aria-label={t('finish')}
              onClick={() => setIsFormOpen((isOpen) => !isOpen)}
            >
              <span className={css.wideOnly}>{t('finish')}</span>
            </Button>
          )}
          {step === 2 && <DownloadMenu kind={kind} search={search} />}
          {step === 1 && (
            <Button loading={isLoading} onClick={() => void apply()}>
              {t('ui:apply')}
            </Button>
          )}
        </>
      }
      filterPanel={<ActiveFilters kind={kind} search={search} hasCharts={step === 2} onChange={applyChanges} />}
    >
      {isFormOpen && <FinishForm id={FORM} locations={search.locations ?? []} onSaved={() => setIsFormOpen(false)} />}
      {step === 1 ? (
        <StationTimeStep kind={kind} search={search} missing={required.invalid} onChange={applyChanges} />
      ) : (
        <CalibrationResult kind={kind} search={search} />
      )}
      {kind === 'load' && (isFormOpen || step === 2) && search.locations && search.locations.length > 0 && (
        <FinishDates locations={search.locations} />
      )}
    </WizardLayout>
  )
}
