import { renew, revoke, type WireDevice } from '@rogatka/contract/devices.ts'
import { call } from '../core/call.ts'
import { TokenActions } from '../core/tokens/TokenActions.tsx'
import { useTokenTexts } from '../core/tokens/useTokenTexts.ts'
import type { NewLink } from './useDevices.ts'

export type DeviceEvents = {
  onEdit: (device: WireDevice) => void
  onLink: (link: NewLink) => void
  onChanged: () => void
}

/** Buttons of a wall screen. */
export function DeviceActions({ device, onEdit, onLink, onChanged }: DeviceEvents & { device: WireDevice }) {
  const texts = useTokenTexts('devices', device.name)
  const params = { id: device.id }
  return (
    <TokenActions
      holder={device}
      renew={{ ...texts.renew, call: () => call(renew, { params }), onDone: onLink }}
      revoke={{ ...texts.revoke, call: () => call(revoke, { params }) }}
      widerRights={texts.widerRights}
      onEdit={() => onEdit(device)}
      onChanged={onChanged}
    />
  )
}
