import { Button } from '@mantine/core'
import { MAX_WAIT_MINUTES, removeWebhook, type WebhookState, type WireWebhook } from '@rogatka/contract/webhooks.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { formatDateTime } from '../core/format.ts'
import { TokenPage } from '../core/tokens/TokenPage.tsx'
import { useWarningToast } from '../core/useWarningToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import type { Column } from '../ui/DataTable.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { type Status, StatusMark } from '../ui/StatusMark.tsx'
import { useConfirm } from '../ui/useConfirm.ts'
import { DeliveriesDialog } from './DeliveriesDialog.tsx'
import { DeliveryReason } from './DeliveryReason.tsx'
import { useEventName } from './useEventName.ts'
import { invalidateWebhooks, type NewSecret, useWebhooks } from './useWebhooks.ts'
import { draftOf, WebhookForm } from './WebhookForm.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'
import css from './Webhooks.module.css'

const MARKS: Record<WebhookState, Status> = {
  active: 'available',
  paused: 'attention',
  stopped: 'malfunction',
  ended: 'unavailable',
  unreadable: 'malfunction',
}

/** Whether the oldest event waits for too long. */
const isLate = (since: string | null): since is string =>
  since !== null && serverNow() - Date.parse(since) > MAX_WAIT_MINUTES * MINUTE_MS

/** Subscriptions to webhooks: list, form, deliveries, and a new secret. */
export function WebhooksPage() {
  const { t } = useTranslation('webhooks')
  const client = useQueryClient()
  const list = useWebhooks()
  const [newSecret, setNewSecret] = useState<NewSecret | null>(null)
  const [openedId, setOpenedId] = useState<number | null>(null)
  const opened = list.data?.find(({ id }) => id === openedId)
  const columns = useColumns(setOpenedId)
  return (
    <TokenPage
      list={list}
      columns={columns}
      draftOf={draftOf}
      onReload={() => void invalidateWebhooks(client)}
      texts={{
        title: t('core:nav-webhooks'),
        add: t('add'),
        new: t('new'),
        loading: t('loading'),
        failed: t('failed'),
        none: t('none'),
      }}
      form={(props) => <WebhookForm {...props} onSecret={setNewSecret} />}
    >
      {opened && <DeliveriesDialog webhook={opened} onSecret={setNewSecret} onClose={() => setOpenedId(null)} />}
      {newSecret && <WebhookSecret newSecret={newSecret} onClose={() => setNewSecret(null)} />}
    </TokenPage>
  )
}

function useColumns(onOpen: (id: number) => void) {
  const { t } = useTranslation('webhooks')
  const eventName = useEventName()
  return (onEdit: (webhook: WireWebhook) => void): Column<WireWebhook>[] => [
    {
      key: 'name',
      share: 3.2,
      title: t('name'),
      head: true,
      wide: true,
      cell: ({ name, url }) => (
        <>
          {name}
          <span className={css.address}>{url}</span>
        </>
      ),
    },
    {
      key: 'events',
      share: 2.6,
      title: t('events'),
      wide: true,
      cell: ({ events }) => events.map(eventName).join(', '),
    },
    {
      key: 'waiting',
      share: 1.6,
      title: t('waiting'),
      right: true,
      cell: ({ pending, pendingSince }) => (
        // One element: on phones a cell has its title beside it.
        <div>
          {pending}
          {isLate(pendingSince) && (
            <span className={css.late}>{t('waiting-since', { since: formatDateTime(pendingSince) })}</span>
          )}
        </div>
      ),
    },
    { key: 'failed', share: 1.2, title: t('given-up'), right: true, cell: ({ failed }) => failed },
    {
      key: 'last',
      share: 2,
      title: t('last-delivery'),
      cell: ({ lastDeliveredAt }) => (lastDeliveredAt === null ? t('never') : formatDateTime(lastDeliveredAt)),
    },
    {
      key: 'state',
      share: 2.4,
      title: t('state'),
      cell: ({ state, lastError, lastStatus }) => (
        <div>
          <span className={css.state}>
            <StatusMark status={MARKS[state]} />
            {t(`state-${state}`)}
          </span>
          <DeliveryReason lastError={lastError} lastStatus={lastStatus} />
        </div>
      ),
    },
    {
      key: 'actions',
      share: 3.4,
      title: t('ui:change'),
      plain: true,
      cell: (webhook) => <Actions webhook={webhook} onEdit={onEdit} onOpen={onOpen} />,
    },
  ]
}

type ActionProps = { webhook: WireWebhook; onEdit: (webhook: WireWebhook) => void; onOpen: (id: number) => void }

/** Buttons of a subscription. Whoever may not read all that it sends can only see and delete it. */
function Actions({ webhook, onEdit, onOpen }: ActionProps) {
  const { t } = useTranslation('webhooks')
  const client = useQueryClient()
  const showWarning = useWarningToast()
  const { id, name, manageable } = webhook
  const removal = useMutation({
    mutationFn: () => call(removeWebhook, { params: { id } }),
    onError: (error) => showWarning(t('action-failed'), error),
    onSettled: () => invalidateWebhooks(client),
  })
  const confirm = useConfirm(removal.mutate)
  const buttons = (
    <>
      {manageable && (
        <Button variant="default" size="xs" aria-label={t('deliveries-of', { name })} onClick={() => onOpen(id)}>
          {t('deliveries')}
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        aria-label={`${t('delete')}: ${name}`}
        loading={removal.isPending}
        onClick={confirm.ask}
      >
        {t('delete')}
      </Button>
      <ConfirmDialog title={t('delete-question', { name })} confirmLabel={t('delete')} destructive {...confirm.dialog}>
        {t('delete-effect')}
      </ConfirmDialog>
    </>
  )
  if (manageable)
    return (
      <EntryActions name={name} onEdit={() => onEdit(webhook)}>
        {buttons}
      </EntryActions>
    )
  return (
    <div className={css.tools}>
      <span>{t('wider-rights')}</span>
      {buttons}
    </div>
  )
}
