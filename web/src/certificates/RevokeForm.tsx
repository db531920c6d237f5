import { TextInput } from '@mantine/core'
import { revokeCertificate } from '@rogatka/contract/certificates.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { draftOf } from './draftOf.ts'
import type { WireCertificate } from './useCertificates.ts'

type Props = EntryFormProps<WireCertificate> & { entry: WireCertificate }

/** Revokes a certificate with a reason. */
export function RevokeForm(props: Props) {
  const { t } = useTranslation('certificates')
  const { entry } = props
  const entryForm = useEntryForm(props, {
    draft: { form: draftOf('revocation', entry.id), title: t('revoke-question', { number: entry.number }) },
    valuesOf: () => ({ reason: '' }),
    fetch: async () => entry,
    storedText: () => '',
    fields: ['reason'],
    isFilled: ({ reason }) => reason.trim() !== '',
    send: ({ reason }) => call(revokeCertificate, { params: { id: entry.id }, body: { reason } }),
    keep: () => ({}),
  })
  const { values, change, errors, firstField } = entryForm
  return (
    <EntryForm
      form={entryForm}
      title={null}
      missing={t('reason-missing')}
      action={t('revoke')}
      onCancel={props.onCancel}
    >
      <p>{t('revoke-effect')}</p>
      <TextInput
        ref={firstField}
        label={t('reason')}
        maxLength={200}
        autoComplete="off"
        value={values.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
        error={errors.reason}
        data-autofocus
      />
    </EntryForm>
  )
}
