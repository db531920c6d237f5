import { revokeCertificate } from '@rogatka/contract/certificates.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ReasonForm } from '../core/frame/ReasonForm.tsx'
import type { EntryFormProps } from '../core/useEntryForm.ts'
import { draftOf } from './draftOf.ts'
import type { WireCertificate } from './useCertificates.ts'

type Props = EntryFormProps<WireCertificate> & { entry: WireCertificate }

/** Revokes a certificate with a reason. */
export function RevokeForm(props: Props) {
  const { t } = useTranslation('certificates')
  const { id, number } = props.entry
  return (
    <ReasonForm
      {...props}
      draft={{ form: draftOf('revocation', id), title: t('revoke-question', { number }) }}
      effect={t('revoke-effect')}
      label={t('reason')}
      missing={t('reason-missing')}
      action={t('revoke')}
      send={(reason) => call(revokeCertificate, { params: { id }, body: { reason } })}
    />
  )
}
