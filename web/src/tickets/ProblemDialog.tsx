import { Button, CloseButton, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { add, attachmentTypes, MAX_ATTACHMENTS } from '@rogatka/contract/tickets.ts'
import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { reportedPage } from '@rogatka/domain/tickets/reportedPage.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callRaw } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { DraftNotice } from '../core/frame/DraftNotice.tsx'
import { listRequests } from '../core/listRequests.ts'
import { useBuild } from '../core/useBuild.ts'
import { useDraft } from '../core/useDraft.ts'
import { useObjectUrl } from '../core/useObjectUrl.ts'
import { useLocations } from '../locations/publicApi.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FilesButton } from '../ui/FilesButton.tsx'
import { useFormErrors } from '../ui/useFormErrors.ts'
import { isAccepted } from './files.ts'
import { FIELDS, type Problem, problemErrors, problemOf, toRequestBody } from './problem.ts'
import css from './Tickets.module.css'
import { useTicketTexts } from './useTicketTexts.ts'

export type ProblemDialogProps = { self: WireSelf; open: boolean; onClose: () => void }

/** Dialog to report a problem. Keeps the input while closed. */
export function ProblemDialog({ self, open, onClose }: ProblemDialogProps) {
  const { t } = useTranslation('tickets')
  const problem = useProblem(self)
  const close = () => {
    onClose()
    if (problem.send.isSuccess) problem.send.reset()
  }
  return (
    <Dialog title={t('report-problem')} open={open} onClose={close}>
      {problem.send.isSuccess ? (
        <div className={css.sent}>
          <p role="status">{t('ticket-sent', { number: problem.send.data.number })}</p>
          <div className={css.buttons}>
            <Button onClick={close} data-autofocus>
              {t('ui:dismiss')}
            </Button>
          </div>
        </div>
      ) : (
        <ProblemForm problem={problem} onClose={close} />
      )}
    </Dialog>
  )
}

function useProblem(self: WireSelf) {
  const { t } = useTranslation('tickets')
  const client = useQueryClient()
  const { build } = useBuild()
  const contextNow = () => ({
    page: reportedPage(`${location.pathname}${location.search}`),
    version: build?.buildCode ?? null,
    listRequests: listRequests(),
  })
  const form = useForm<Problem>({ initialValues: problemOf(self), validate: problemErrors })
  const draft = useDraft(form, { form: 'problem', title: t('report-problem'), withheld: ['attachments'] })
  const send = useMutation({
    mutationFn: (problem: Problem) => callRaw(add, toRequestBody(problem, contextNow())),
    // Not awaited: the ticket is stored, however long the lists take.
    onSuccess: () => void client.invalidateQueries({ queryKey: ['tickets'] }),
    onError: (error) => {
      const errors = fieldErrors(error, Object.values(FIELDS))
      form.setErrors(Object.fromEntries(Object.entries(FIELDS).map(([field, path]) => [field, errors[path]])))
    },
  })
  // A sent form must not remain a draft, also while the dialog shows the confirmation.
  const resetForm = useRef(() => {})
  useEffect(() => {
    resetForm.current = () => {
      const values = problemOf(self)
      form.setValues(values)
      form.resetDirty(values)
      form.clearErrors()
    }
  })
  useEffect(() => {
    if (send.isSuccess) resetForm.current()
  }, [send.isSuccess])
  return { form, draft, send }
}

const REQUIRED: ReadonlySet<keyof Problem> = new Set(['name', 'email', 'message'])

type FormProps = { problem: ReturnType<typeof useProblem>; onClose: () => void }

function ProblemForm({ problem: { form, draft, send }, onClose }: FormProps) {
  const { t } = useTranslation('tickets')
  const { data: stations } = useLocations()
  const lanes = stations?.find(({ id }) => String(id) === form.values.station)?.lanes ?? []
  const { focusFirst, textOfError } = useFormErrors(form, {
    fields: Object.keys(FIELDS) as (keyof Problem)[],
    missingText: (field) => t(`missing-${field}`),
  })
  const optional = (key: string) => t('ui:optional', { name: t(key) })
  const field = (name: keyof Problem) => ({
    ...(REQUIRED.has(name) && { required: true, withAsterisk: false }),
    ...form.getInputProps(name),
    error: textOfError(name),
  })
  return (
    <form
      className={css.report}
      noValidate
      onSubmit={form.onSubmit((values) => (send.isPending ? undefined : send.mutate(values)), focusFirst)}
    >
      <DraftNotice draft={draft} withheld="file" />
      {send.error && <ErrorBanner error={send.error} title={t('send-failed')} />}
      <div className={css.pair}>
        <TextInput label={t('name')} maxLength={120} autoComplete="name" {...field('name')} />
        <TextInput label={t('ui:email')} type="email" maxLength={120} autoComplete="email" {...field('email')} />
      </div>
      <TextInput label={optional('subject')} maxLength={200} autoComplete="off" {...field('subject')} />
      <div className={css.container}>
        <Select
          label={optional('ui:station')}
          placeholder={t('not-selected')}
          data={stations?.map(({ id, shortName }) => ({ value: String(id), label: shortName })) ?? []}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('clear-choice') }}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          {...field('station')}
          onChange={(station) => form.setValues({ station, lane: null })}
        />
        <Select
          label={optional('ui:lane')}
          placeholder={t('not-selected')}
          data={lanes.map(({ laneNumber }) => String(laneNumber))}
          disabled={lanes.length === 0}
          clearable
          clearButtonProps={{ 'aria-label': t('clear-choice') }}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          {...field('lane')}
        />
        <TextInput label={optional('sign')} maxLength={120} autoComplete="off" {...field('sign')} />
      </div>
      <Textarea
        label={t('message')}
        maxLength={10_000}
        autosize
        minRows={4}
        maxRows={12}
        data-autofocus
        {...field('message')}
      />
      <AttachmentField
        files={form.values.attachments}
        error={textOfError('attachments')}
        onChange={(files) => {
          form.setFieldValue('attachments', files)
          form.clearFieldError('attachments')
        }}
      />
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('ui:cancel')}
        </Button>
        <Button type="submit" disabled={send.isPending}>
          {send.isPending ? t('sending') : t('send')}
        </Button>
      </div>
    </form>
  )
}

type AttachmentProps = {
  files: readonly File[]
  error: string | undefined
  onChange: (files: File[]) => void
}

/** Identifies a file, to ignore duplicates. */
const keyOf = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`

/** Up to five files, images with previews, each with a remove button. */
function AttachmentField({ files, error, onChange }: AttachmentProps) {
  const { t } = useTranslation('tickets')
  const add = (added: File[]) => {
    const existing = new Set(files.map(keyOf))
    onChange([...files, ...added.filter((file) => !existing.has(keyOf(file)))])
  }
  return (
    <div className={css.file}>
      <FilesButton
        multiple
        accept={attachmentTypes}
        label={t('attach')}
        isDisabled={files.length >= MAX_ATTACHMENTS}
        onAdd={add}
      />
      <small>{t('attach-hint')}</small>
      {error && (
        <p className={css.invalid} role="alert">
          {error}
        </p>
      )}
      {files.map((file) => (
        <AttachedFile
          key={keyOf(file)}
          file={file}
          onRemove={() => onChange(files.filter((other) => other !== file))}
        />
      ))}
    </div>
  )
}

function AttachedFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  const { t } = useTranslation('tickets')
  const texts = useTicketTexts()
  const isImage = isAccepted(file) && file.type.startsWith('image/')
  const url = useObjectUrl(isImage ? file : undefined)
  return (
    <>
      {url && <img className={css.preview} src={url} alt={t('preview', { name: file.name })} />}
      <p>
        <span>{file.name}</span>
        <small>{texts.size(file.size)}</small>
        <CloseButton aria-label={t('remove-file', { name: file.name })} onClick={onRemove} />
      </p>
    </>
  )
}
