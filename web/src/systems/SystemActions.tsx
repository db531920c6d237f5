import { renew, revoke, type WireSystem } from '@rogatka/contract/systems.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { TokenActions } from '../core/tokens/TokenActions.tsx'
import type { NewKey } from './useSystems.ts'

export type SystemEvents = {
  onEdit: (system: WireSystem) => void
  onKey: (key: NewKey) => void
  onChanged: () => void
}

/** Buttons of an external system. */
export function SystemActions({ system, onEdit, onKey, onChanged }: SystemEvents & { system: WireSystem }) {
  const { t } = useTranslation('systems')
  const { name } = system
  const texts = (action: 'renew' | 'revoke') => ({
    label: t(action),
    labelNamed: t(`${action}-named`, { name }),
    question: t(`${action}-question`, { name }),
    effect: t(`${action}-effect`),
    failed: t(`${action}-failed`),
  })
  const params = { id: system.id }
  return (
    <TokenActions
      holder={system}
      renew={{ ...texts('renew'), call: () => call(renew, { params }), onDone: onKey }}
      revoke={{ ...texts('revoke'), call: () => call(revoke, { params }), done: t('revoke-done', { name }) }}
      widerRights={t('wider-rights')}
      onEdit={() => onEdit(system)}
      onChanged={onChanged}
    />
  )
}
