import { Button, NativeSelect, TextInput } from '@mantine/core'
import { removeMapping, saveMapping } from '@rogatka/contract/imports.ts'
import { withEncoding } from '@rogatka/domain/imports/recognise.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { showError } from '../core/errors.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { TrashIcon } from '../ui/icons.tsx'
import css from './Imports.module.css'
import { invalidateMappings, type Options, useMappings } from './useImports.ts'

type Props = { options: Options; onChange: (options: Options) => void }

/** Saved mappings: one is used for this file, saved under a name, or deleted. */
export function MappingTools({ options, onChange }: Props) {
  const { t } = useTranslation('imports')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const { data = [] } = useMappings()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState('')
  const onError = (error: unknown) => showError(error, { title: t('mapping-failed') })
  const save = useMutation({
    mutationFn: () => call(saveMapping, { body: { name, options } }),
    onSuccess: (saved) => {
      showSuccess(t('mapping-saved', { name: saved.name }))
      setName('')
      void invalidateMappings(client)
    },
    onError,
  })
  const remove = useMutation({
    mutationFn: (id: number) => call(removeMapping, { params: { id } }),
    onSuccess: () => {
      setChosen('')
      void invalidateMappings(client)
    },
    onError,
  })
  const mapping = data.find(({ id }) => String(id) === chosen)
  return (
    <div className={css.tools}>
      {data.length > 0 && (
        <>
          <NativeSelect
            size="xs"
            aria-label={t('mappings')}
            value={chosen}
            data={[
              { value: '', label: t('mappings') },
              ...data.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange={(event) => {
              const { value } = event.currentTarget
              setChosen(value)
              const found = data.find(({ id }) => String(id) === value)
              if (found) onChange(withEncoding(found.options, options.encoding === 'utf-8' ? null : options.encoding))
            }}
          />
          {mapping && (
            <IconButton
              aria-label={t('mapping-delete', { name: mapping.name })}
              disabled={remove.isPending}
              onClick={() => remove.mutate(mapping.id)}
            >
              <TrashIcon />
            </IconButton>
          )}
        </>
      )}
      <TextInput
        size="xs"
        aria-label={t('mapping-name')}
        placeholder={t('mapping-name')}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        variant="default"
        size="xs"
        loading={save.isPending}
        disabled={name.trim() === ''}
        onClick={() => save.mutate()}
      >
        {t('mapping-save')}
      </Button>
    </div>
  )
}
