import { NumberInput, Select, TextInput } from '@mantine/core'
import { addCertificate, certificateKinds, changeCertificate, lanes } from '@rogatka/contract/certificates.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDay } from '../core/format.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { FieldGrid } from '../ui/Fields.tsx'
import { storedBelow } from '../ui/StoredValue.tsx'
import { draftOf } from './draftOf.ts'
import { IssueFields } from './IssueFields.tsx'
import type { WireCertificate } from './useCertificates.ts'

const FIELDS = ['number', 'authority', 'kind', 'validFrom', 'validUntil', 'minSpeed', 'maxSpeed']

const valuesOf = (certificate: WireCertificate | undefined) => ({
  number: certificate?.number ?? '',
  authority: certificate?.authority ?? '',
  kind: certificate?.kind ?? certificateKinds[0],
  validFrom: certificate?.validFrom ?? '',
  validUntil: certificate?.validUntil ?? '',
  minSpeed: certificate?.minSpeed ?? null,
  maxSpeed: certificate?.maxSpeed ?? null,
})

/** The certificate as stored now. */
async function fetchCertificate(certificate: WireCertificate): Promise<WireCertificate> {
  const found = await call(lanes, { query: { locations: [certificate.location.id] }, background: true })
  return found.flatMap(({ certificates }) => certificates).find(({ id }) => id === certificate.id) ?? certificate
}

type Props = EntryFormProps<WireCertificate> & {
  /** Id of the lane. */
  lane: number
}

/** Adds a certificate of a lane, or changes one before its first day. */
export function CertificateForm({ lane, ...props }: Props) {
  const { t } = useTranslation('certificates')
  const entryForm = useEntryForm(props, {
    draft: props.entry
      ? {
          form: draftOf('certificate', props.entry.id),
          title: t('ui:change-named', { name: props.entry.number }),
        }
      : { form: draftOf('new-certificate', lane), title: t('add-certificate') },
    valuesOf,
    fetch: fetchCertificate,
    storedText: (latest, field) => {
      if (field === 'kind') return t(`certificate-${latest.kind}`)
      const value = String(valuesOf(latest)[field] ?? '')
      return field === 'validFrom' || field === 'validUntil' ? formatDay(value) : value
    },
    fields: FIELDS,
    isFilled: ({ number, authority, validFrom, validUntil }) =>
      [number, authority, validFrom, validUntil].every((text) => text.trim() !== ''),
    send: (values, base) =>
      base
        ? call(changeCertificate, { params: { id: base.id }, body: { ...values, version: base.version } })
        : call(addCertificate, { body: { ...values, lane } }),
    keep: () => ({}),
  })
  const { values, change, errors, stored, firstField } = entryForm
  const speed = (field: 'minSpeed' | 'maxSpeed') => (
    <NumberInput
      label={t('ui:optional', { name: t(field) })}
      min={0}
      max={250}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      value={values[field] ?? ''}
      onChange={(value) => change({ [field]: value === '' ? null : Number(value) })}
      error={errors[field]}
      {...storedBelow(stored[field])}
    />
  )
  return (
    <EntryForm form={entryForm} title={null} missing={t('fields-missing')} onCancel={props.onCancel}>
      <FieldGrid>
        <TextInput
          ref={firstField}
          label={t('number')}
          maxLength={40}
          autoComplete="off"
          value={values.number}
          onChange={(event) => change({ number: event.currentTarget.value })}
          error={errors.number}
          {...storedBelow(stored.number)}
        />
        <Select
          label={t('kind')}
          data={certificateKinds.map((kind) => ({ value: kind, label: t(`certificate-${kind}`) }))}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={values.kind}
          onChange={(selected) => change({ kind: certificateKinds.find((kind) => kind === selected) ?? values.kind })}
          error={errors.kind}
          {...storedBelow(stored.kind)}
        />
        <IssueFields form={entryForm} />
        {speed('minSpeed')}
        {speed('maxSpeed')}
      </FieldGrid>
    </EntryForm>
  )
}
