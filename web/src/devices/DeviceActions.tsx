import { renew, revoke, type WireDevice } from '@rogatka/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { TokenActions } from '../core/tokens/TokenActions.tsx'
import type { NewLink } from './useDevices.ts'

export type DeviceEvents = {
  onEdit: (device: WireDevice) => void
  onLink: (link: NewLink) => void
  onChanged: () => void
}

/** Buttons of a wall screen. */
export function DeviceActions({ device, onEdit, onLink, onChanged }: DeviceEvents & { device: WireDevice }) {
  const { t } = useTranslation('devices')
  const named = { name: device.name }
  const params = { id: device.id }
  return (
    <TokenActions
      holder={device}
      renew={{
        call: () => call(renew, { params }),
        onDone: onLink,
        label: t('renew'),
        labelNamed: t('renew-named', named),
        question: t('renew-question', named),
        effect: t('renew-effect'),
        failed: t('renew-failed'),
      }}
      revoke={{
        call: () => call(revoke, { params }),
        label: t('revoke'),
        labelNamed: t('revoke-named', named),
        question: t('revoke-question', named),
        effect: t('revoke-effect'),
        failed: t('revoke-failed'),
        done: t('revoke-done', named),
      }}
      widerRights={t('wider-rights')}
      onEdit={() => onEdit(device)}
      onChanged={onChanged}
    />
  )
}
