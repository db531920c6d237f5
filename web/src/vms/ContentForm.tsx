import { Select, Textarea, TextInput } from '@mantine/core'
import {
  addSignContent,
  changeSignContent,
  pictogramNames,
  signContents,
  type WireUpkeepContent,
} from '@rogatka/contract/vms-upkeep.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { textField } from '../core/textField.ts'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { FieldGrid } from '../ui/Fields.tsx'
import { parseNumber } from '../ui/numberField.ts'
import { descriptionBelow, StoredValue, storedBelow } from '../ui/StoredValue.tsx'
import { joinLines, splitLines } from './lines.ts'

/** Id of the form's draft; undefined of a new content. */
export const contentDraft = (id?: number): string => `sign-content/${id ?? 'new'}`

/** Names pictograms. */
export function usePictogramName(): (name: string) => string {
  const { t } = useTranslation('vms')
  return (name) => {
    const known = pictogramNames.find((one) => one === name)
    return known ? t(`pictogram-${known}`) : name
  }
}

/** Adds a content of signs, or changes one that no enabled group has. */
export function ContentForm(props: EntryFormProps<WireUpkeepContent>) {
  const { t } = useTranslation('vms')
  const pictogramName = usePictogramName()
  const { entry } = props
  const entryForm = useEntryForm(props, {
    draft: {
      form: contentDraft(entry?.id),
      title: entry ? t('ui:change-named', { name: entry.description }) : t('new-content'),
    },
    valuesOf: (content: WireUpkeepContent | undefined) => ({
      description: content?.description ?? '',
      pictogram: content?.pictogram ?? '',
      graphic: content?.graphic == null ? '' : String(content.graphic),
      lines: joinLines(content?.lines),
    }),
    fetch: async (content) =>
      (await call(signContents, { background: true })).find(({ id }) => id === content.id) ?? content,
    storedText: (latest, field) => {
      if (field === 'lines') return latest.lines.join(' / ')
      if (field === 'pictogram') return latest.pictogram ? pictogramName(latest.pictogram) : ''
      return String(latest[field] ?? '')
    },
    fields: ['description', 'pictogram', 'graphic', 'lines'],
    isFilled: ({ description }) => description.trim() !== '',
    send: ({ description, pictogram, graphic, lines }, base) => {
      const body = {
        description,
        pictogram: pictogramNames.find((name) => name === pictogram) ?? null,
        // What is no number is not sent, so that the server names the field.
        graphic: parseNumber(graphic) as number | null,
        lines: splitLines(lines),
      }
      return base
        ? call(changeSignContent, { params: { id: base.id }, body: { ...body, version: base.version } })
        : call(addSignContent, { body })
    },
    keep: () => ({}),
  })
  const { values, change, errors, stored, firstField } = entryForm
  return (
    <EntryForm title={null} form={entryForm} onCancel={props.onCancel} missing={t('content-missing')}>
      <FieldGrid>
        <TextInput
          ref={firstField}
          label={t('ui:description')}
          maxLength={100}
          {...textField(entryForm, 'description')}
          data-autofocus
        />
        <Select
          label={t('pictogram')}
          data={[
            { value: '', label: t('no-pictogram') },
            ...pictogramNames.map((name) => ({ value: name as string, label: pictogramName(name) })),
          ]}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={values.pictogram}
          onChange={(pictogram) => change({ pictogram: pictogram ?? '' })}
          error={errors.pictogram}
          {...storedBelow(stored.pictogram)}
        />
        <TextInput label={t('graphic')} inputMode="numeric" maxLength={3} {...textField(entryForm, 'graphic')} />
      </FieldGrid>
      <Textarea
        label={t('lines')}
        autosize
        minRows={2}
        {...textField(entryForm, 'lines')}
        {...descriptionBelow}
        description={
          <>
            <StoredValue value={stored.lines} /> {t('lines-hint')}
          </>
        }
      />
    </EntryForm>
  )
}
