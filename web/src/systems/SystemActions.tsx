import { renew, revoke, type WireSystem } from '@rogatka/contract/systems.ts'
import { call } from '../core/call.ts'
import { TokenActions } from '../core/tokens/TokenActions.tsx'
import { useTokenTexts } from '../core/tokens/useTokenTexts.ts'
import type { NewKey } from './useSystems.ts'

export type SystemEvents = {
  onEdit: (system: WireSystem) => void
  onKey: (key: NewKey) => void
  onChanged: () => void
}

/** Buttons of an external system. */
export function SystemActions({ system, onEdit, onKey, onChanged }: SystemEvents & { system: WireSystem }) {
  const texts = useTokenTexts('systems', system.name)
  const params = { id: system.id }
  return (
    <TokenActions
      holder={system}
      renew={{ ...texts.renew, call: () => call(renew, { params }), onDone: onKey }}
      revoke={{ ...texts.revoke, call: () => call(revoke, { params }) }}
      widerRights={texts.widerRights}
      onEdit={() => onEdit(system)}
      onChanged={onChanged}
    />
  )
}
