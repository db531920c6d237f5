import { VisuallyHidden } from '@mantine/core'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../core/format.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { useOpenVehicle } from '../vehicle/publicApi.ts'
import { HistoryComparison } from './HistoryComparison.tsx'
import { HistoryList } from './HistoryList.tsx'
import { type Picks, pick, sideOf } from './historyPicks.ts'
import css from './PlateHistory.module.css'
import { usePlateHistory } from './usePlateHistory.ts'

type Props = { vehicle: WireVehicle; onCount: (count: number) => void }

/** All detections of the plate of a vehicle, and two of them side by side: at first the vehicle itself is A. */
export function PlateHistory({ vehicle, onCount }: Props) {
  const { t } = useTranslation('archive')
  const history = usePlateHistory(vehicle)
  const { data, error, refetch } = history.list
  const [picks, setPicks] = useState<Picks>({ A: vehicle })
  const [message, setMessage] = useState('')
  const openVehicle = useOpenVehicle('archive')
  const total = data?.totalCount
  useEffect(() => {
    if (total !== undefined) onCount(total)
  }, [total, onCount])

  const toggle = (detection: WireVehicle) => {
    const next = pick(picks, detection)
    const side = sideOf(next, detection)
    const time = formatDateTime(detection.createdAt)
    setPicks(next)
    setMessage(side ? t('history-picked', { side, time }) : t('history-removed', { time }))
  }

  // Images of the vehicle may still arrive.
  const newest = (detection: WireVehicle | undefined) =>
    detection && vehicleKey(detection) === vehicleKey(vehicle) ? vehicle : detection
  return (
    <div className={css.screen}>
      <h1 className={css.title}>
        {t('history-title', { plate: displayPlate(vehicle.plateLpr ?? '', vehicle.nationality) })}
      </h1>
      <VisuallyHidden role="status">{message}</VisuallyHidden>
      <section className={css.list} aria-label={t('history-passages')}>
        {error && <ErrorBanner error={error} title={t('history-failed')} retry={() => void refetch()} />}
        {data && (
          <HistoryList
            vehicle={vehicle}
            history={history}
            data={data}
            picks={picks}
            onPick={toggle}
            onOpen={openVehicle}
          />
        )}
        {!data && !error && (
          <div className={css.loading}>
            <Loading label={t('history-loading')} skeleton={<div className={css.skeleton} />} />
          </div>
        )}
      </section>
      <HistoryComparison picks={{ A: newest(picks.A), B: newest(picks.B) }} />
    </div>
  )
}
