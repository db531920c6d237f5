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
  const params = { id: system.id }
  return (
    <TokenActions
      holder={system}
      renew={{
        label: t('renew'),
        labelNamed: t('renew-named', { name }),
        question: t('renew-question', { name }),
        effect: t('renew-effect'),
        failed: t('renew-failed'),
        call: () => call(renew, { params }),
        onDone: onKey,
      }}
      revoke={{
        done: t('revoke-done', { name }),
        label: t('revoke'),
        labelNamed: t('revoke-named', { name }),
        question: t('revoke-question', { name }),
        effect: t('revoke-effect'),
        failed: t('revoke-failed'),
        call: () => call(revoke, { params }),
      }}
      widerRights={t('wider-rights')}
      onEdit={() => onEdit(system)}
      onChanged={onChanged}
    />
  )
}
