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
  const known = error ? undefined : status
  const state = known?.state
  const content: SignContent = known?.hasPlate === false ? 'trucks' : choice
  const shown: SignContent = known?.plateVms.allTrucksDisplayed ? 'trucks' : 'plate'
  const plate = vehicle.plateLpr ? displayPlate(vehicle.plateLpr, vehicle.nationality) : t('sign-plate-short')
  const isDisplayed = state === 'displayed'
  const mayAct = known?.manageable === true && !command.isPending

  return {
    state,
    content,
    command,
    /** Decided by the server. */
    mayAct,
    mayChoose: mayAct && state === 'ready',
    hasPlate: known?.hasPlate ?? true,
    isDisplayed,
    label: isDisplayed
      ? t('sign-cancel', { content: shown === 'trucks' ? t('sign-trucks-short') : plate })
      : t('sign-show', { content: t(content === 'trucks' ? 'sign-trucks-short' : 'sign-plate-short') }),
    /** Why the button is disabled, and who uses the sign; null: the times are shown. */
    reason: reasonOf(),
    setAt: isDisplayed ? (known?.setAt ?? null) : null,
    /** When the driver can read the sign; null if irrelevant. */
    arrivesAt: isDisplayed || state === 'ready' ? (known?.readablePointAt ?? null) : null,
    run: () => mayAct && command.mutate(isDisplayed ? 'cancel' : content),
    choose: setChoice,
  }

  function reasonOf(): string | null {
    if (error) return t('sign-status-failed')
    if (!known) return t(preloaded?.vmsStatus.available === false ? 'sign-state-sign-unavailable' : 'sign-checking')
    if (state === 'ready' || state === 'displayed') return null
    const texts = t(`sign-state-${state as PlateState}`)
    if (!known.setBy) return texts
    const who = { user: known.setBy.username, until: formatTime(known.until) }
    return `${texts} · ${t(known.until ? 'sign-set-by-until' : 'sign-set-by', who)}`
  }
}
