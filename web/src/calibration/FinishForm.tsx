import { Button, Checkbox } from '@mantine/core'
import { finish } from '@rogatka/contract/calibration.ts'
import { laneId } from '@rogatka/contract/options.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors, showError } from '../core/errors.ts'
import { DraftNotice } from '../core/frame/DraftNotice.tsx'
import { useBanner } from '../core/useBanner.ts'
import { useDraftState } from '../core/useDraft.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useStations } from '../locations/publicApi.ts'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import css from './FinishForm.module.css'
import { refreshCalibration } from './useCalibration.ts'

/** Id of its draft. */
export const FINISH_DRAFT = 'calibration-finish'

type Props = {
  id: string
  /** Ids of the selected stations. */
  locations: readonly number[]
  onSaved: () => void
}

/** Records a finished calibration of the selected stations. */
export function FinishForm({ id, locations, onSaved }: Props) {
  const { t } = useTranslation('calibration')
  const { stations } = useStations()
  const banner = useBanner()
  const showSuccess = useSuccessToast()
  const [time, setTime] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isRejected, setIsRejected] = useState(false)
  const [saving, setSaving] = useState(false)
  const [excludedLanes, setExcludedLanes] = useState<ReadonlySet<number>>(new Set())
  const selected = stations?.flatMap(({ location }) => (locations.includes(location.id) ? [location] : [])) ?? []
  const lanes = selected.flatMap(({ id, lanes }) => lanes.map(({ laneNumber }) => laneId(id, laneNumber)))
  const calibrated = lanes.filter((lane) => !excludedLanes.has(lane))
  const hasNoStations = locations.length === 0
  const hasNoLanes = lanes.length > 0 && calibrated.length === 0
  const toggle = (lane: number) =>
    setExcludedLanes((current) =>
      current.has(lane) ? new Set([...current].filter((other) => other !== lane)) : new Set([...current, lane]),
    )

  const draft = useDraftState(
    {
      values: { time, excludedLanes: [...excludedLanes] },
      dirty: time !== null || excludedLanes.size > 0,
      restore: (kept) => {
        setTime(kept.time ?? null)
        setExcludedLanes(new Set(kept.excludedLanes))
      },
      reset: () => {
        setTime(null)
        setExcludedLanes(new Set())
      },
    },
    { form: FINISH_DRAFT, title: t('finish') },
  )

  const save = async (event: FormEvent) => {
    event.preventDefault()
    setError(time === null ? t('finish-time-missing') : null)
    banner.clear()
    setIsRejected(hasNoStations || hasNoLanes)
    if (hasNoStations) showError('required-parameter-missing', { title: t('core:select-station') })
    if (time === null || hasNoStations || hasNoLanes) return
    setSaving(true)
    try {
      const laneSelection = calibrated.length < lanes.length && { lanes: calibrated }
      await call(finish, { query: { locations: [...locations], time, ...laneSelection } })
      refreshCalibration()
      showSuccess(t('finish-saved'))
      onSaved()
    } catch (failure) {
      setError(fieldErrors(failure, ['time']).time ?? null)
      banner.show(failure)
    } finally {
      setSaving(false)
    }
  }

  return (
    <div className={css.form}>
      <Panel>
        <Section title={t('finish')} hint={t('finish-hint')} invalid={isRejected && (hasNoStations || hasNoLanes)}>
          <DraftNotice draft={draft} />
          {banner.message && (
            <ErrorBanner error={banner.message.error} title={t('finish-failed')} dismiss={banner.clear} />
          )}
          <form id={id} onSubmit={(event) => void save(event)} noValidate className={css.fields}>
            <DateTimeField
              label={t('finish-time')}
              value={time}
              onChange={(instant) => {
                setTime(instant)
                setError(null)
              }}
              required
              error={error}
            />
            <div className={css.lanes}>
              {hasNoStations && <p className={isRejected ? css.invalid : undefined}>{t('ui:stations-missing')}</p>}
              {selected.map(({ id, shortName, lanes }) => (
                <fieldset key={id} className={css.station}>
                  <legend>{shortName}</legend>
                  {lanes.map(({ laneNumber }) => (
                    <Checkbox
                      key={laneNumber}
                      label={t('ui:lane-number', { lane: laneNumber })}
                      checked={!excludedLanes.has(laneId(id, laneNumber))}
                      onChange={() => toggle(laneId(id, laneNumber))}
                    />
                  ))}
                </fieldset>
              ))}
              {isRejected && hasNoLanes && <p className={css.invalid}>{t('finish-lanes-missing')}</p>}
            </div>
            <Button type="submit" loading={saving}>
              {t('finish-save')}
            </Button>
          </form>
        </Section>
      </Panel>
    </div>
  )
}
