import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import type { PlateState } from '@rogatka/contract/vms.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../core/format.ts'
import { usePreloadedSign } from '../vms/publicApi.ts'
import { type SignContent, usePlateCommand, usePlateStatus } from './usePlateOnSign.ts'

/** State of the sign button. */
export function useSignState(vehicle: WireVehicle) {
  const { t } = useTranslation('vehicle')
  const { data: status, error } = usePlateStatus(vehicle)
  const command = usePlateCommand(vehicle)
  const preloaded = usePreloadedSign(vehicle.location.id)
  const [choice, setChoice] = useState<SignContent>('plate')

  // If the status request fails, an earlier status is not used.
  const validStatus = error ? undefined : status
  const state = validStatus?.state
  const content: SignContent = validStatus?.hasPlate === false ? 'trucks' : choice
  const displayedContent: SignContent = validStatus?.plateVms.allTrucksDisplayed ? 'trucks' : 'plate'
  const plate = vehicle.plateLpr ? displayPlate(vehicle.plateLpr, vehicle.nationality) : t('sign-plate-short')
  const isDisplayed = state === 'displayed'
  const canAct = validStatus?.manageable === true && !command.isPending

  return {
    state,
    content,
    command,
    /** Decided by the server. */
    canAct,
    canSelectContent: canAct && state === 'ready',
    hasPlate: validStatus?.hasPlate ?? true,
    isDisplayed,
    label: isDisplayed
      ? t('sign-cancel', { content: displayedContent === 'trucks' ? t('sign-trucks-short') : plate })
      : t('sign-show', { content: t(content === 'trucks' ? 'sign-trucks-short' : 'sign-plate-short') }),
    /** Why the button is disabled, and who uses the sign; null: the times are shown. */
    reason: reasonOf(),
    setAt: isDisplayed ? (validStatus?.setAt ?? null) : null,
    /** When the driver can read the sign; null if irrelevant. */
    arrivesAt: isDisplayed || state === 'ready' ? (validStatus?.readablePointAt ?? null) : null,
    run: () => canAct && command.mutate(isDisplayed ? 'cancel' : content),
    selectContent: setChoice,
  }

  function reasonOf(): string | null {
    if (error) return t('sign-status-failed')
    if (!validStatus)
      return t(preloaded?.vmsStatus.available === false ? 'sign-state-sign-unavailable' : 'sign-checking')
    if (state === 'ready' || state === 'displayed') return null
    const text = t(`sign-state-${state as PlateState}`)
    if (!validStatus.setBy) return text
    const values = { user: validStatus.setBy.username, until: formatTime(validStatus.until) }
    return `${text} · ${t(validStatus.until ? 'sign-set-by-until' : 'sign-set-by', values)}`
  }
}
