import { Select, TextInput } from '@mantine/core'
import { addScale, changeScale, scales } from '@rogatka/contract/certificates.ts'
import { scaleKinds } from '@rogatka/contract/options.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDay } from '../core/format.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { useLanguage } from '../core/language.ts'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { FieldGrid } from '../ui/Fields.tsx'
import { formatField, parseNumber } from '../ui/numberField.ts'
import { descriptionBelow, StoredValue, storedBelow } from '../ui/StoredValue.tsx'
import { draftOf } from './draftOf.ts'
import { IssueFields } from './IssueFields.tsx'
import type { WireScale } from './useCertificates.ts'

const FIELDS = ['name', 'kind', 'certificate', 'authority', 'validFrom', 'validUntil', 'accuracyPercent']

/** Adds or changes a static scale, with the certificate that was entered last. */
export function ScaleForm(props: EntryFormProps<WireScale>) {
  const { t } = useTranslation('certificates')
  const language = useLanguage()
  const valuesOf = (scale: WireScale | undefined) => {
    const latest = scale?.certificates[0]
    return {
      name: scale?.name ?? '',
      kind: scale?.kind ?? 'platform',
      certificate: latest?.certificate ?? '',
      authority: latest?.authority ?? '',
      validFrom: latest?.validFrom ?? '',
      validUntil: latest?.validUntil ?? '',
      accuracy: formatField(latest?.accuracyPercent, 1, language),
    }
  }
  const entryForm = useEntryForm(props, {
    draft: {
      form: draftOf('scale', props.entry?.id),
      title: props.entry ? t('ui:change-named', { name: props.entry.name }) : t('new-scale'),
    },
    valuesOf,
    fetch: async (scale) => (await call(scales, { background: true })).find(({ id }) => id === scale.id) ?? scale,
    storedText: (latest, field) => {
      const value = valuesOf(latest)[field]
      if (field === 'kind') return t(`kind-${latest.kind}`)
      return field === 'validFrom' || field === 'validUntil' ? formatDay(value) : value
    },
    fields: FIELDS,
    isFilled: ({ kind: _, accuracy, ...texts }) =>
      Object.values(texts).every((text) => text.trim() !== '') && typeof parseNumber(accuracy) === 'number',
    send: ({ accuracy, ...rest }, base) => {
      const body = { ...rest, accuracyPercent: parseNumber(accuracy) ?? 0 }
      return base
        ? call(changeScale, { params: { id: base.id }, body: { ...body, version: base.version } })
        : call(addScale, { body })
    },
    keep: () => ({}),
  })
  const { values, change, errors, stored, firstField } = entryForm
  const hint = props.entry?.certificates[0]?.isUsed ? 'next-hint' : 'next-hint-unused'
  return (
    <EntryForm form={entryForm} title={t('new-scale')} missing={t('fields-missing')} onCancel={props.onCancel}>
      <FieldGrid>
        <TextInput
          ref={firstField}
          label={t('name')}
          maxLength={100}
          autoComplete="off"
          value={values.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={errors.name}
          {...storedBelow(stored.name)}
        />
        <Select
          label={t('kind')}
          data={scaleKinds.map((kind) => ({ value: kind, label: t(`kind-${kind}`) }))}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={values.kind}
          onChange={(selected) => change({ kind: scaleKinds.find((kind) => kind === selected) ?? values.kind })}
          error={errors.kind}
          {...storedBelow(stored.kind)}
        />
        <TextInput
          label={t('certificate')}
          maxLength={40}
          autoComplete="off"
          value={values.certificate}
          onChange={(event) => change({ certificate: event.currentTarget.value })}
          error={errors.certificate}
          {...descriptionBelow}
          description={
            <>
              <StoredValue value={stored.certificate} /> {props.entry?.isUsed && t(hint)}
            </>
          }
        />
        <IssueFields form={entryForm} />
        <TextInput
          label={t('accuracy')}
          inputMode="decimal"
          autoComplete="off"
          maxLength={6}
          value={values.accuracy}
          onChange={(event) => change({ accuracy: event.currentTarget.value })}
          error={errors.accuracyPercent}
          {...storedBelow(stored.accuracy)}
        />
      </FieldGrid>
    </EntryForm>
  )
}
