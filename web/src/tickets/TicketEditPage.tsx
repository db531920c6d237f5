import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { change, type TicketStatus, ticketStatuses, type WireTicket } from '@rogatka/contract/tickets.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { formatMinute } from '../core/format.ts'
import { FormNotices } from '../core/frame/FormNotices.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { UnsavedChanges } from '../core/frame/UnsavedChanges.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useBanner } from '../core/useBanner.ts'
import { useDraft, useDraftBase } from '../core/useDraft.ts'
import { useEdit } from '../core/useEdit.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useTitle, useTitlePart } from '../core/useTitle.ts'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { EditNotices } from '../ui/EditNotices.tsx'
import { FormActions, FormEnd, FormTitle } from '../ui/FormBar.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { StoredValue, storedBelow } from '../ui/StoredValue.tsx'
import { useFormErrors } from '../ui/useFormErrors.ts'
import { TicketFailure } from './TicketPage.tsx'
import css from './Tickets.module.css'
import { changeOf, type TicketValues, ticketErrors, valuesOf } from './ticketValues.ts'
import { ticketQuery } from './useTickets.ts'
import { useTicketTexts } from './useTicketTexts.ts'

const FORM = 'ticket'
const FIELDS = ['title', 'description', 'status', 'handleBy', 'closedAt'] as const

/** Edit form of a ticket. */
export function TicketEditPage() {
  const { t } = useTranslation('tickets')
  const { id } = useParams({ from: '/frame/tickets/$id/edit' })
  const { data: ticket, error, refetch } = useQuery(ticketQuery(id))
  const navigate = useNavigate()
  const close = (saved = false) => void navigate({ to: '/tickets/$id', params: { id }, ignoreBlocker: saved })
  useShortcuts([{ key: 'Escape', label: t('back-to-ticket'), run: () => close() }])
  useTitle(t('edit-ticket'))
  useTitlePart(ticket ? t('ticket-number', { number: ticket.number }) : null)
  if (ticket) return <EditForm ticket={ticket} onClose={() => close()} onSaved={() => close(true)} />
  return (
    <PageLayout title={<FormTitle back={t('ticket')} onBack={() => close()} title={t('edit-ticket')} />}>
      {error ? <TicketFailure error={error} retry={() => void refetch()} /> : <Loading label={t('loading-ticket')} />}
    </PageLayout>
  )
}

type Props = { ticket: WireTicket; onClose: () => void; onSaved: () => void }

function EditForm({ ticket: latest, onClose, onSaved }: Props) {
  const { t } = useTranslation('tickets')
  const client = useQueryClient()
  const draftName = `tickets/${latest.id}`
  const { base: ticket, isOlder } = useDraftBase(draftName, latest)
  const showSuccess = useSuccessToast()
  const banner = useBanner()
  const texts = useTicketTexts()
  const form = useForm<TicketValues>({ initialValues: valuesOf(ticket), validate: ticketErrors })
  const storedText = (latest: WireTicket, field: keyof TicketValues) => {
    if (field === 'status') return texts.status(latest.status)
    const value = valuesOf(latest)[field]
    return (field === 'closedAt' && value ? formatMinute(value) : value) || t('ui:empty')
  }
  const { focusFirst, textOfError } = useFormErrors(form, {
    fields: FIELDS,
    missingText: (field) => t(`missing-${field}`),
  })
  const { base, stored, save, notices } = useEdit(ticket, form, {
    valuesOf,
    fetch: () => client.fetchQuery({ ...ticketQuery(ticket.id), staleTime: 0 }),
    storedText,
    isOlder,
    banner,
    send: (version) => call(change, { params: { id: ticket.id }, body: changeOf(form.getValues(), version) }),
    onSaved: async () => {
      showSuccess(t('saved'))
      await client.invalidateQueries({ queryKey: ['tickets'] })
      onSaved()
    },
    onRejected: (error) => {
      const errors = fieldErrors(error, FIELDS)
      form.setErrors(errors)
      focusFirst(errors)
      banner.show(error)
    },
  })

  const optional = (key: string) => t('ui:optional', { name: t(key) })
  const field = (name: keyof TicketValues) => ({
    ...form.getInputProps(name),
    error: textOfError(name),
    ...storedBelow(stored[name]),
  })
  const dirty = form.isDirty()
  const draft = useDraft(form, { form: draftName, title: t('edit-ticket'), base: () => base.current })
  const title = t('ticket-number', { number: ticket.number })
  return (
    <PageLayout
      title={<FormTitle back={title} onBack={onClose} title={t('edit-ticket')} />}
      actions={<FormActions form={FORM} dirty={dirty} saving={save.isPending} onCancel={onClose} />}
    >
      <UnsavedChanges dirty={dirty} />
      <FormNotices draft={draft}>
        <EditNotices {...notices} title={t('save-failed')} />
      </FormNotices>
      <Panel>
        <form id={FORM} className={css.form} noValidate onSubmit={form.onSubmit(() => save.mutate(), focusFirst)}>
          <TextInput label={t('ticket-title')} maxLength={200} required withAsterisk={false} {...field('title')} />
          <Textarea
            label={optional('ui:description')}
            maxLength={10_000}
            autosize
            minRows={5}
            {...field('description')}
          />
          <StatusField
            value={form.values.status}
            stored={stored.status}
            onChange={(status) => form.setFieldValue('status', status)}
          />
          <TextInput label={optional('handled-by')} maxLength={120} {...field('handleBy')} />
          {form.values.status === 'closed' && (
            <DateTimeField
              label={optional('removed')}
              value={form.values.closedAt}
              onChange={(closedAt) => form.setFieldValue('closedAt', closedAt)}
              clearLabel={t('removed-now')}
              error={textOfError('closedAt')}
            />
          )}
          <FormEnd saving={save.isPending} />
        </form>
      </Panel>
    </PageLayout>
  )
}

type StatusProps = { value: TicketStatus; stored: string | undefined; onChange: (status: TicketStatus) => void }

function StatusField({ value, stored, onChange }: StatusProps) {
  const { t } = useTranslation('tickets')
  const texts = useTicketTexts()
  return (
    <div>
      <p className={css.label}>{t('status')}</p>
      <SegmentedControl
        label={t('status')}
        options={ticketStatuses.map((status) => ({ value: status, label: texts.status(status) }))}
        value={value}
        onChange={onChange}
      />
      <StoredValue value={stored} />
    </div>
  )
}
