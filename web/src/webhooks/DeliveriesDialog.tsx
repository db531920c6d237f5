import { Button } from '@mantine/core'
import {
  pauseWebhook,
  replayWebhook,
  resumeWebhook,
  rotateSecret,
  testWebhook,
  type WireDelivery,
  type WireWebhook,
} from '@rogatka/contract/webhooks.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDateTime, MISSING } from '../core/format.ts'
import { WholeList } from '../core/frame/WholeList.tsx'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { useStationNames } from '../locations/publicApi.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { DeliveryReason } from './DeliveryReason.tsx'
import { useEventName } from './useEventName.ts'
import { invalidateWebhooks, type NewSecret, useDeliveries } from './useWebhooks.ts'
import css from './Webhooks.module.css'

type Props = { webhook: WireWebhook; onSecret: (newSecret: NewSecret) => void; onClose: () => void }

/** The latest deliveries of a subscription, with what can be done about them. */
export function DeliveriesDialog({ webhook, onSecret, onClose }: Props) {
  const { t } = useTranslation('webhooks')
  const list = useDeliveries(webhook.id)
  const columns = useDeliveryColumns()
  const label = t('deliveries-of', { name: webhook.name })
  return (
    <Dialog title={label} open onClose={onClose} wide>
      <div className={css.content}>
        {webhook.manageable && <Tools webhook={webhook} onSecret={onSecret} />}
        <WholeList list={list} texts={{ loading: t('loading'), failed: t('failed'), none: t('no-deliveries') }}>
          {(rows) => (
            <DataTable
              label={label}
              columns={columns}
              rows={rows}
              keyOf={({ eventId }) => Number(eventId.split('_')[1])}
            />
          )}
        </WholeList>
      </div>
    </Dialog>
  )
}

/** Test, pause, a new secret, and sending again from a moment. */
function Tools({ webhook, onSecret }: Pick<Props, 'webhook' | 'onSecret'>) {
  const { t } = useTranslation('webhooks')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const [from, setFrom] = useState<string | null>(null)
  const params = { id: webhook.id }
  const handlers = {
    onError: (error: Error) => showWarning(t('action-failed'), error),
    onSettled: () => invalidateWebhooks(client),
  }
  const isActive = webhook.state === 'active'
  const isRunning = isActive || webhook.state === 'unreadable'
  const test = useMutation({ mutationFn: () => call(testWebhook, { params }), ...handlers })
  const toggle = useMutation({
    mutationFn: () => call(isRunning ? pauseWebhook : resumeWebhook, { params }),
    ...handlers,
  })
  const rotate = useMutation({ mutationFn: () => call(rotateSecret, { params }), onSuccess: onSecret, ...handlers })
  const replay = useMutation({
    mutationFn: (start: string) => call(replayWebhook, { params, body: { from: start } }),
    onSuccess: ({ events }) => showSuccess(t('replay-done', { count: events })),
    ...handlers,
  })
  return (
    <div className={css.tools}>
      <Button size="xs" loading={test.isPending} disabled={!isActive} onClick={() => test.mutate()}>
        {t('test')}
      </Button>
      <Button size="xs" variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
        {t(isRunning ? 'pause' : 'resume')}
      </Button>
      <Button
        size="xs"
        variant="default"
        title={t('secret-effect')}
        loading={rotate.isPending}
        onClick={() => rotate.mutate()}
      >
        {t('secret-new')}
      </Button>
      <DateTimeField label={t('replay-from')} value={from} onChange={setFrom} />
      <Button
        size="xs"
        variant="default"
        disabled={from === null}
        loading={replay.isPending}
        onClick={() => from !== null && replay.mutate(from)}
      >
        {t('replay')}
      </Button>
    </div>
  )
}

function useDeliveryColumns(): Column<WireDelivery>[] {
  const { t } = useTranslation('webhooks')
  const eventName = useEventName()
  const { allNames } = useStationNames()
  return [
    { key: 'at', share: 2, title: t('time'), head: true, cell: ({ at }) => formatDateTime(at) },
    { key: 'event', share: 2.4, title: t('event'), wide: true, cell: ({ type }) => eventName(type) },
    {
      key: 'station',
      share: 2,
      title: t('ui:station'),
      cell: ({ locationId }) => (locationId === null ? MISSING : allNames([locationId])),
    },
    { key: 'attempts', share: 1, title: t('attempts'), right: true, cell: ({ attempts }) => attempts },
    {
      key: 'result',
      share: 3,
      title: t('result'),
      wide: true,
      cell: (delivery) => (
        // One element, as a phone sets it beside its title.
        <span>
          {t(`delivery-${delivery.state}`)}
          <DeliveryReason {...delivery} />
        </span>
      ),
    },
  ]
}
