import type { SignResult } from '@rogatka/contract/vms.ts'
import { useTranslation } from 'react-i18next'
import { Notice } from '../ui/Notice.tsx'
import { useSignTexts } from './useSignTexts.ts'
import css from './Vms.module.css'

type Props = { results: readonly SignResult[]; enabling: boolean; dismiss: () => void }

/** Signs that failed a command, with the reason, and those that succeeded; nothing if all succeeded. */
export function Outcome({ results, enabling, dismiss }: Props) {
  const { t } = useTranslation('vms')
  const { signName } = useSignTexts()
  const failed = results.filter(({ done }) => !done)
  const succeeded = results.filter(({ done }) => done)
  if (failed.length === 0) return null
  return (
    <Notice kind="error" dismiss={dismiss}>
      <b>{t(enabling ? 'not-all-enabled' : 'not-all-disabled', { done: succeeded.length, all: results.length })}</b>
      <ul className={css.results}>
        {failed.map(({ vms, error }) => (
          <li key={vms.id}>
            {signName({ number: vms.number, vms: { ...vms, ip: '' } })}: {error?.userMessage ?? t('rejected')}
          </li>
        ))}
        {succeeded.length > 0 && (
          <li>
            {t(enabling ? 'enabled-on' : 'disabled-on', {
              signs: succeeded.map(({ vms }) => vms.number).join(', '),
            })}
          </li>
        )}
      </ul>
    </Notice>
  )
}
