import { add } from '@rogatka/contract/inspections.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ApiFailure, hasCode } from '../core/failure.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { type Announceable, openInspection, openingOf } from './announceable.ts'

type Props = {
  vehicle: Announceable
  callOnSign: boolean
  /** Makes a repeated announcement the same. */
  idempotencyKey: string
  /** `isAnswered`: the server did it or refused it. */
  onEnd: (isAnswered: boolean) => void
}

/** Announces an inspection of a vehicle once, or takes it over if it has passed, and says how it went. */
export function Announcement({ vehicle, callOnSign, idempotencyKey, onEnd }: Props) {
  const { t } = useTranslation('inspections')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const navigate = useNavigate()
  const announce = async () => {
    // The server refuses a second open one.
    const state = openInspection(vehicle) ? 'announced' : openingOf(vehicle)
    if (!state) {
      showWarning(t('announce-failed'), t('announce-too-late'))
      return onEnd(true)
    }
    try {
      const { id, createdAt, location } = vehicle
      const body = { locationId: location.id, vehicleId: id, createdAt, state, callOnSign }
      const { id: opened, number, sign } = await call(add, { body, idempotencyKey })
      showSuccess(t(state === 'announced' ? 'announced-done' : 'taken-over-done', { number }))
      if (sign?.error) showWarning(t('announced-without-sign'), sign.error.userMessage)
      onEnd(true)
      if (state === 'takenOver') void navigate({ to: '/inspections/$id', params: { id: opened } })
    } catch (error) {
      showWarning(t(hasCode(error, 'inspection-exists') ? 'announced-already' : 'announce-failed'), error)
      onEnd(error instanceof ApiFailure)
    }
  }
  const isStarted = useRef(false)
  useEffect(() => {
    if (!isStarted.current) void announce()
    isStarted.current = true
  })
  return null
}
