import { Button } from '@mantine/core'
import { finish } from '@rogatka/contract/calibration.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors, hasMore, showError } from '../core/errors.ts'
import { useDoneToast } from '../core/useDoneToast.ts'
import { useQuietToast } from '../core/useQuietToast.ts'
import { useStations } from '../locations/useStations.ts'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import css from './FinishForm.module.css'
import { forgetCalibration } from './useCalibration.ts'

type Props = {
  id: string
  /** The chosen stations. */
  locations: readonly number[]
  onSaved: () => void
}

/** Notes when a calibration of the chosen stations was finished. */
export function FinishForm({ id, locations, onSaved }: Props) {
  const { t } = useTranslation('calibration')
  const { stations } = useStations()
  const quiet = useQuietToast()
  const done = useDoneToast()
  const [time, setTime] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [refused, setRefused] = useState(false)
  const [saving, setSaving] = useState(false)
  const names = stations?.flatMap(({ location }) => (locations.includes(location.id) ? [location.shortName] : []))
  const lacksStations = locations.length === 0

  const save = async (event: FormEvent) => {
    event.preventDefault()
    setError(time === null ? t('errors:required-parameter-missing') : null)
    setRefused(lacksStations)
    if (lacksStations) showError('required-parameter-missing', { title: t('core:select-station') })
    if (time === null || lacksStations) return
    setSaving(true)
    try {
      await call(finish, { query: { locations: [...locations], time } })
      forgetCalibration()
      done(t('finish-saved'))
      onSaved()
    } catch (failure) {
      setError(fieldErrors(failure, ['time']).time ?? null)
      if (hasMore(failure, ['time'])) quiet(t('finish-failed'), failure)
    } finally {
      setSaving(false)
    }
  }

  return (
    <div className={css.form}>
      <Panel>
        <Section title={t('finish')} hint={t('finish-hint')} wrong={refused && lacksStations}>
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
            <p className={refused && lacksStations ? css.wrong : undefined}>
              {lacksStations ? t('stations-missing') : `${t('finish-of')} ${names?.join(', ') ?? ''}`}
            </p>
            <Button type="submit" loading={saving}>
              {t('finish-save')}
            </Button>
          </form>
        </Section>
      </Panel>
    </div>
  )
}
