import { Button } from '@mantine/core'
import {
  addStationKey,
  type KeyState,
  revokeStationKey,
  type WireStationKey,
  type WireUpkeepStation,
} from '@rogatka/contract/locations-upkeep.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDateTime, formatDay, MISSING } from '../core/format.ts'
import { OneTimeSecret } from '../core/frame/OneTimeSecret.tsx'
import { ReasonForm } from '../core/frame/ReasonForm.tsx'
import { WholeList } from '../core/frame/WholeList.tsx'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { DayField } from '../ui/DayField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { type Status, StatusMark } from '../ui/StatusMark.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './Stations.module.css'
import { invalidateStations, useStationKeys } from './useUpkeepStations.ts'

const MARKS: Record<KeyState, Status> = { active: 'available', ended: 'attention', revoked: 'unavailable' }

type Props = { station: WireUpkeepStation; onClose: () => void }

/** Keys of a station: list, a new one with its secret, and revocation with a reason. */
export function StationKeys({ station, onClose }: Props) {
  const { t } = useTranslation('locations')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const list = useStationKeys(station.id)
  const [secret, setSecret] = useState<string | null>(null)
  const [revoked, setRevoked] = useState<WireStationKey | null>(null)
  const reload = () => void invalidateStations(client)
  const { shortName: name } = station
  if (secret !== null)
    return (
      <OneTimeSecret
        title={t('key-of', { name })}
        once={t('key-once')}
        use={t('key-use')}
        label={t('key')}
        value={secret}
        copy={{ action: t('copy'), done: t('copied'), failed: t('copy-failed') }}
        onClose={() => setSecret(null)}
      />
    )
  if (revoked)
    return (
      <Dialog title={t('revoke-question', { id: revoked.id })} open onClose={() => setRevoked(null)}>
        <ReasonForm
          entry={{ ...revoked, version: 1 }}
          draft={{ form: `station-key/${revoked.id}`, title: t('revoke-question', { id: revoked.id }) }}
          action={t('revoke')}
          effect={t('revoke-effect')}
          send={(reason) => call(revokeStationKey, { params: { id: station.id, keyId: revoked.id }, body: { reason } })}
          label={t('reason')}
          missing={t('reason-missing')}
          onStale={reload}
          onCancel={() => setRevoked(null)}
          onSaved={() => {
            showSuccess(t('revoke-done', { id: revoked.id }))
            reload()
            setRevoked(null)
          }}
        />
      </Dialog>
    )
  return (
    <Dialog title={t('keys-of', { name })} open onClose={onClose} wide>
      <div className={css.keys}>
        {station.closedAt === null && <NewKey station={station} onCreated={setSecret} onSettled={reload} />}
        <WholeList list={list} texts={{ loading: t('keys-loading'), failed: t('keys-failed'), none: t('no-keys') }}>
          {(keys) => <KeyTable keys={keys} onRevoke={setRevoked} />}
        </WholeList>
      </div>
    </Dialog>
  )
}

type NewKeyProps = { station: WireUpkeepStation; onCreated: (secret: string) => void; onSettled: () => void }

function NewKey({ station, onCreated, onSettled }: NewKeyProps) {
  const { t } = useTranslation('locations')
  const errorText = useErrorText()
  const [validUntil, setValidUntil] = useState<string | null>(null)
  const create = useMutation({
    mutationFn: () => call(addStationKey, { params: { id: station.id }, body: { validUntil } }),
    onSuccess: ({ secret }) => onCreated(secret),
    onSettled,
  })
  return (
    <div className={css.newKey}>
      <DayField
        label={t('ui:optional', { name: t('valid-until') })}
        value={validUntil}
        onChange={(day) => {
          setValidUntil(day)
          create.reset()
        }}
        clearLabel={t('ui:clear-valid-until')}
        error={create.error ? errorText(create.error) : undefined}
      />
      <Button loading={create.isPending} onClick={() => create.mutate()}>
        {t('make-key')}
      </Button>
    </div>
  )
}

type TableProps = { keys: readonly WireStationKey[]; onRevoke: (key: WireStationKey) => void }

function KeyTable({ keys, onRevoke }: TableProps) {
  const { t } = useTranslation('locations')
  return (
    <DataTable
      label={t('keys')}
      rows={keys}
      keyOf={({ id }) => id}
      toneOf={({ state }) => (state === 'active' ? undefined : 'faded')}
      columns={[
        { key: 'id', title: t('key-number'), head: true, cell: ({ id }) => t('key-named', { id }) },
        {
          key: 'created',
          title: t('created'),
          wide: true,
          cell: ({ created: { at, by } }) => `${formatDateTime(at)}, ${by ?? t('by-command')}`,
        },
        {
          key: 'validUntil',
          title: t('valid-until'),
          cell: ({ validUntil }) => (validUntil === null ? MISSING : formatDay(validUntil)),
        },
        {
          key: 'lastUsed',
          title: t('last-used'),
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('never') : formatDateTime(lastUsedAt)),
        },
        {
          key: 'state',
          title: t('state'),
          wide: true,
          cell: ({ state, revoked }) => (
            <>
              <span className={css.state}>
                <StatusMark status={MARKS[state]} />
                {t(`state-${state}`)}
              </span>
              {revoked && (
                <small className={css.detail}>
                  {[formatDateTime(revoked.at), revoked.by ?? t('by-command'), revoked.reason]
                    .filter(Boolean)
                    .join(', ')}
                </small>
              )}
            </>
          ),
        },
        {
          key: 'actions',
          title: t('ui:change'),
          plain: true,
          cell: (key) =>
            key.state !== 'revoked' && (
              <Button
                variant="default"
                size="xs"
                aria-label={t('revoke-named', { id: key.id })}
                onClick={() => onRevoke(key)}
              >
                {t('revoke')}
              </Button>
            ),
        },
      ]}
    />
  )
}
