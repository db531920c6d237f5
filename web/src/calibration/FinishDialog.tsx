import { Button, Checkbox, Textarea } from '@mantine/core'
import { correctFinish, MAX_REVOKE_REASON, revokeFinish, type WireFinishDate } from '@rogatka/contract/calibration.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { formatMinute } from '../core/format.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import css from './FinishDates.module.css'
import { refreshCalibration } from './useCalibration.ts'

type Props = {
  action: 'correct' | 'revoke'
  finish: WireFinishDate
  /** The same date on other lanes of the station. */
  others: readonly WireFinishDate[]
  onClose: () => void
}

/**
 * Corrects or revokes a date: asks for the new time, for the reason, and whether the other lanes of the date change,
 * too.
 */
export function FinishDialog({ action, finish, others, onClose }: Props) {
  const { t } = useTranslation('calibration')
  const { t: ui } = useTranslation('ui')
  const showSuccess = useSuccessToast()
  const [reason, setReason] = useState('')
  const [reasonError, setReasonError] = useState<string | null>(null)
  const [withOthers, setWithOthers] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [saving, setSaving] = useState(false)
  const { location, lane, finishedAt } = finish
  const [time, setTime] = useState<string | null>(finishedAt)
  const [timeError, setTimeError] = useState<string | null>(null)
  const title = t(action === 'correct' ? 'finish-correct-title' : 'finish-revoke-question')

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (time === null) setTimeError(t('finish-time-missing'))
    if (reason.trim() === '') setReasonError(t('finish-reason-missing'))
    if (time === null || reason.trim() === '') return
    setSaving(true)
    setFailure(null)
    const changed = withOthers ? [finish, ...others] : [finish]
    const body = {
      lanes: changed.map(({ lane }) => lane.id),
      versions: changed.map(({ version }) => version),
      finishedAt,
      reason,
    }
    try {
      await (action === 'correct' ? call(correctFinish, { body: { ...body, time } }) : call(revokeFinish, { body }))
      showSuccess(t(`finish-${action}-done`))
      onClose()
    } catch (error) {
      const fields = fieldErrors(error, ['reason', 'time'])
      setReasonError(fields.reason ?? null)
      setTimeError(fields.time ?? null)
      setFailure(error)
    } finally {
      setSaving(false)
      // Also after an error: another user may have changed it.
      refreshCalibration()
    }
  }

  return (
    <Dialog title={title} open onClose={onClose}>
      <form className={css.dialog} onSubmit={(event) => void save(event)} noValidate>
        {failure !== null && (
          <ErrorBanner error={failure} title={t(`finish-${action}-failed`)} dismiss={() => setFailure(null)} />
        )}
        <p>
          <b>{t('lane', { location: location.shortName, lane: lane.laneNumber })}</b>, {formatMinute(finishedAt)}
        </p>
        <p>{t(`finish-${action}-effect`)}</p>
        {action === 'correct' && (
          <DateTimeField
            label={t('finish-time')}
            value={time}
            onChange={(instant) => {
              setTime(instant)
              setTimeError(null)
            }}
            required
            error={timeError}
          />
        )}
        {others.length > 0 && (
          <Checkbox
            label={t('finish-revoke-others', { lanes: others.map((other) => other.lane.laneNumber).join(', ') })}
            checked={withOthers}
            onChange={(event) => setWithOthers(event.currentTarget.checked)}
          />
        )}
        <Textarea
          label={t('finish-reason')}
          value={reason}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setReasonError(null)
          }}
          error={reasonError}
          maxLength={MAX_REVOKE_REASON}
          required
          withAsterisk={false}
          autosize
          minRows={2}
          data-autofocus={action === 'revoke' || undefined}
        />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {ui('cancel')}
          </Button>
          <Button type="submit" {...(action === 'revoke' && { color: 'red' })} loading={saving}>
            {t(action === 'correct' ? 'ui:save' : 'finish-revoke')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
