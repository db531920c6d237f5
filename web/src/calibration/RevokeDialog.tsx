import { Button, Checkbox, Textarea } from '@mantine/core'
import { MAX_REVOKE_REASON, revokeFinish, type WireFinishDate } from '@rogatka/contract/calibration.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { formatMinute } from '../core/format.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import css from './FinishDates.module.css'
import { refreshCalibration } from './useCalibration.ts'

type Props = {
  finish: WireFinishDate
  /** The same date on other lanes of the station. */
  others: readonly WireFinishDate[]
  onClose: () => void
}

/** Asks for the reason of revoking a date, and whether to revoke it for the other lanes too. */
export function RevokeDialog({ finish, others, onClose }: Props) {
  const { t } = useTranslation('calibration')
  const { t: ui } = useTranslation('ui')
  const showSuccess = useSuccessToast()
  const [reason, setReason] = useState('')
  const [reasonError, setReasonError] = useState<string | null>(null)
  const [withOthers, setWithOthers] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [saving, setSaving] = useState(false)
  const { location, lane, finishedAt } = finish

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setReasonError(t('finish-reason-missing'))
    setSaving(true)
    setFailure(null)
    const lanes = [lane.id, ...(withOthers ? others.map((other) => other.lane.id) : [])]
    try {
      await call(revokeFinish, { body: { lanes, finishedAt, reason } })
      showSuccess(t('finish-revoke-done'))
      onClose()
    } catch (error) {
      setReasonError(fieldErrors(error, ['reason']).reason ?? null)
      setFailure(error)
    } finally {
      setSaving(false)
      // Also after an error: another user may have revoked it.
      refreshCalibration()
    }
  }

  return (
    <Dialog title={t('finish-revoke-question')} open onClose={onClose}>
      <form className={css.dialog} onSubmit={(event) => void save(event)} noValidate>
        {failure !== null && (
          <ErrorBanner error={failure} title={t('finish-revoke-failed')} dismiss={() => setFailure(null)} />
        )}
        <p>
          <b>{t('lane', { location: location.shortName, lane: lane.laneNumber })}</b>, {formatMinute(finishedAt)}
        </p>
        <p>{t('finish-revoke-effect')}</p>
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
          data-autofocus
        />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {ui('cancel')}
          </Button>
          <Button type="submit" color="red" loading={saving}>
            {t('finish-revoke')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
