import { Button, CloseButton, FileButton, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { add, attachmentTypes } from '@rogatka/contract/tickets.ts'
import type { WireSelf } from '@rogatka/contract/users.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callRaw } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { useObjectUrl } from '../core/useObjectUrl.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FileIcon } from '../ui/icons.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import { bodyOf, FIELDS, type Problem, problemFaults, problemOf } from './problem.ts'
import css from './Tickets.module.css'
import { useTicketWords } from './useTicketWords.ts'

export type ProblemDialogProps = { self: WireSelf; open: boolean; onClose: () => void }

/** The report of a problem. What was typed is still there when it is opened again. */
export function ProblemDialog({ self, open, onClose }: ProblemDialogProps) {
  const { t } = useTranslation('tickets')
  const problem = useProblem(self)
  const close = () => {
    onClose()
    if (problem.send.isSuccess) problem.begin()
  }
  return (
    <Dialog title={t('report-problem')} open={open} onClose={close}>
      {problem.send.isSuccess ? (
        <div className={css.sent}>
          <p role="status">{t('ticket-sent', { number: problem.send.data.number })}</p>
          <div className={css.buttons}>
            <Button onClick={close} data-autofocus>
              {t('close')}
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
  const client = useQueryClient()
  const form = useForm<Problem>({ initialValues: problemOf(self), validate: problemFaults })
  const send = useMutation({
    mutationFn: (problem: Problem) => callRaw(add, bodyOf(problem)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tickets'] }),
    onError: (error) => {
      const said = fieldErrors(error, Object.values(FIELDS))
      form.setErrors(Object.fromEntries(Object.entries(FIELDS).map(([field, path]) => [field, said[path]])))
    },
  })
  return {
    form,
    send,
    /** Empties the form for the next report. */
    begin: () => {
      send.reset()
      form.setValues(problemOf(self))
      form.clearErrors()
    },
  }
}

type FormProps = { problem: ReturnType<typeof useProblem>; onClose: () => void }

function ProblemForm({ problem: { form, send }, onClose }: FormProps) {
  const { t } = useTranslation('tickets')
  const textOf = useErrorText()
  const focusFirst = (errors: Record<string, unknown>) => {
    const first = Object.keys(FIELDS).find((field) => errors[field])
    if (first) form.getInputNode(first)?.focus()
  }
  const field = (name: keyof Problem) => ({
    required: true,
    withAsterisk: false,
    ...form.getInputProps(name),
    error: form.errors[name] && textOf(form.errors[name]),
  })
  return (
    <form
      className={css.report}
      noValidate
      onSubmit={form.onSubmit((values) => (send.isPending ? undefined : send.mutate(values)), focusFirst)}
    >
      {send.error && <ErrorBanner error={send.error} title={t('send-failed')} />}
      <div className={css.pair}>
        <TextInput label={t('name')} maxLength={120} autoComplete="name" {...field('name')} />
        <TextInput label={t('email')} type="email" maxLength={120} autoComplete="email" {...field('email')} />
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
        file={form.values.attachment}
        error={form.errors.attachment ? textOf(form.errors.attachment) : undefined}
        onChange={(file) => {
          form.setFieldValue('attachment', file)
          form.clearFieldError('attachment')
        }}
      />
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" disabled={send.isPending}>
          {send.isPending ? t('sending') : t('send')}
        </Button>
      </div>
    </form>
  )
}

type AttachmentProps = { file: File | null; error: string | undefined; onChange: (file: File | null) => void }

/** One file with its preview; it can be taken away again. */
function AttachmentField({ file, error, onChange }: AttachmentProps) {
  const { t } = useTranslation('tickets')
  const words = useTicketWords()
  // Without it a file that was taken away could not be chosen again.
  const reset = useRef<() => void>(null)
  const remove = () => {
    reset.current?.()
    onChange(null)
  }
  const url = useObjectUrl(file?.type.startsWith('image/') ? file : undefined)
  return (
    <div className={css.file}>
      <div>
        <FileButton
          resetRef={reset}
          onChange={onChange}
          accept={attachmentTypes.join(',')}
          inputProps={{ 'aria-label': t('attach') }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<FileIcon />}>
              {t(file ? 'attach-other' : 'attach')}
            </Button>
          )}
        </FileButton>
      </div>
      <small>{t('attach-hint')}</small>
      {error && (
        <p className={css.wrong} role="alert">
          {error}
        </p>
      )}
      {file && (
        <>
          {url && !error && <img className={css.preview} src={url} alt={t('preview', { name: file.name })} />}
          <p>
            <span>{file.name}</span>
            <small>{words.size(file.size)}</small>
            <CloseButton aria-label={t('remove-file', { name: file.name })} onClick={remove} />
          </p>
        </>
      )}
    </div>
  )
}
