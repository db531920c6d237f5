import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../core/language.ts'
import { EmptyState, FailedState } from '../ui/EmptyState.tsx'
import { Loading } from '../ui/Loading.tsx'
import { LaneResult } from './LaneResult.tsx'
import css from './Result.module.css'
import type { CalibrationSearch, Kind } from './search.ts'
import { calibrationQuery } from './useCalibration.ts'

type Props = { kind: Kind; search: CalibrationSearch }

/** Results by lane. */
export function CalibrationResult({ kind, search }: Props) {
  const { t } = useTranslation('calibration')
  const { data, error, isFetching, refetch } = useQuery(calibrationQuery(kind, search, useLanguage()))
  useEffect(() => {
    if (error) console.warn('The calibration could not be loaded.', error)
  }, [error])

  if (!data) {
    if (isFetching || !error) return <Loading label={t('ui:calculating')} skeleton={<div className={css.skeleton} />} />
    return <FailedState title={t('failed')} retry={() => void refetch()} />
  }
  const lanes = data.flatMap(({ location, lanes }) => lanes.map((lane) => ({ location, lane })))
  if (lanes.length === 0) return <EmptyState title={t('no-results')} hint={t('no-results-hint')} />
  return (
    <div className={css.result}>
      {lanes.map(({ location, lane }) => (
        <LaneResult key={lane.lane.id} kind={kind} location={location.shortName} result={lane} />
      ))}
    </div>
  )
}
