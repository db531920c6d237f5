import { Button, Checkbox, Radio, TextInput } from '@mantine/core'
import { MAX_VIEW_NAME, type ViewPage } from '@rogatka/contract/options.ts'
import { addView, PLATE_PARAMETERS, type View } from '@rogatka/contract/views.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { formatMinute } from '../core/format.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { recordView, viewsQuery } from './opening.ts'
import { filtersOf, minutesOf, type PageSearch, renameOpenView } from './openViews.ts'
import { sendChange } from './useViewChanges.ts'
import css from './Views.module.css'

type Props = {
  page: ViewPage
  search: PageSearch
  /** The view to rename; undefined: the page's filters become a new one. */
  view: View | undefined
  onClose: () => void
}

/** Name of a view, and of a new one its kind of range and whether it is shared. */
export function ViewDialog({ page, search, view, onClose }: Props) {
  const { t } = useTranslation('views')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const filters = filtersOf(search)
  const minutes = minutesOf(filters)
  const hasPlate = PLATE_PARAMETERS.some((parameter) => parameter in filters)
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(false)
  const [isMoving, setIsMoving] = useState(true)
  const save = useMutation({
    mutationFn: async () => {
      if (view) return sendChange(view, { name })
      const rangeMinutes = isMoving ? minutes : null
      return call(addView, { body: { page, name, search: filters, rangeMinutes, shared } })
    },
    onSuccess: async (saved) => {
      if (view) renameOpenView(page, saved)
      else recordView(saved, filters)
      showSuccess(t('saved'))
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey })
      onClose()
    },
  })
  const { name: nameError } = fieldErrors(save.error, ['name'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog title={t(view ? 'rename' : 'save-as')} open onClose={onClose}>
      <form className={css.form} onSubmit={submit} noValidate>
        {save.error && !nameError && <ErrorBanner error={save.error} title={t('not-saved')} dismiss={save.reset} />}
        <TextInput
          label={t('name')}
          maxLength={MAX_VIEW_NAME}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={nameError}
        />
        {!view && minutes !== null && (
          <Radio.Group
            label={t('range')}
            value={isMoving ? 'moving' : 'fixed'}
            onChange={(kind) => setIsMoving(kind === 'moving')}
          >
            <div className={css.choices}>
              <Radio value="moving" label={t('range-moving', { duration: durationText(minutes) })} />
              <Radio
                value="fixed"
                label={t('range-fixed', {
                  start: formatMinute(filters.dateTimeStart),
                  end: formatMinute(filters.dateTimeEnd),
                })}
              />
            </div>
          </Radio.Group>
        )}
        {!view && (
          <Checkbox
            label={t('shared')}
            description={t(hasPlate ? 'plate-not-shared' : 'shared-hint')}
            disabled={hasPlate}
            checked={shared}
            onChange={({ currentTarget }) => setShared(currentTarget.checked)}
          />
        )}
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('ui:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('ui:save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
