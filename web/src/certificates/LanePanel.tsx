import { Button, Select } from '@mantine/core'
import { changePurpose, type LanePurpose, lanePurposes, removeCertificate } from '@rogatka/contract/certificates.ts'
import { isValidAt } from '@rogatka/domain/certificates/validity.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { formatDate, MISSING } from '../core/format.ts'
import { DeleteEntry } from '../core/frame/DeleteEntry.tsx'
import { hasDraft } from '../core/useDraft.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { CertificateFile } from './CertificateFile.tsx'
import { CertificateForm } from './CertificateForm.tsx'
import css from './Certificates.module.css'
import { draftOf } from './draftOf.ts'
import { ExpiryMark } from './ExpiryMark.tsx'
import { formatValidity } from './formatValidity.ts'
import { RevokeForm } from './RevokeForm.tsx'
import { invalidateCertificates, type WireCertificate, type WireLane } from './useCertificates.ts'

/** What is open in a dialog: a new certificate, or one to change or to revoke. */
type DialogState = 'new' | { change: WireCertificate } | { revoke: WireCertificate } | null

/** The form to open again, as its draft is kept. */
function formWithDraft({ id, certificates }: WireLane): DialogState {
  if (hasDraft(draftOf('new-certificate', id))) return 'new'
  const change = certificates.find((certificate) => hasDraft(draftOf('certificate', certificate.id)))
  if (change) return { change }
  const revoke = certificates.find((certificate) => hasDraft(draftOf('revocation', certificate.id)))
  return revoke ? { revoke } : null
}

/** A WIM lane: purpose, warning, and certificates; without a scale only these. */
export function LanePanel({ lane, canChange }: { lane: WireLane; canChange: boolean }) {
  const { t } = useTranslation('certificates')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const [opened, setOpened] = useState(() => formWithDraft(lane))
  const name = t('lane', { number: lane.laneNumber })
  const close = () => setOpened(null)
  const reload = () => void invalidateCertificates(client)
  const saved = (text: string) => {
    showSuccess(text)
    reload()
    close()
  }
  const form = { lane: lane.id, onStale: reload, onCancel: close }
  const columns = useColumns(canChange, setOpened, reload)
  return (
    <article className={css.lane} aria-label={`${lane.location.shortName}, ${name}`}>
      <header>
        <h3>{name}</h3>
        {lane.hasScale ? (
          <>
            <Purpose lane={lane} canChange={canChange} />
            <ExpiryMark certificates={lane.certificates} />
          </>
        ) : (
          <span className={css.quiet}>{t('no-scale')}</span>
        )}
        {canChange && lane.hasScale && (
          <Button
            variant="default"
            size="xs"
            className={css.add ?? ''}
            leftSection={<PlusIcon size={14} />}
            aria-label={`${t('add-certificate')}: ${lane.location.shortName}, ${name}`}
            onClick={() => setOpened('new')}
          >
            {t('add-certificate')}
          </Button>
        )}
      </header>
      {lane.certificates.length > 0 && (
        <DataTable
          label={t('certificates-of', { lane: `${lane.location.shortName}, ${name}` })}
          columns={columns}
          rows={lane.certificates}
          keyOf={({ id }) => id}
        />
      )}
      {opened === 'new' && (
        <Dialog title={t('new-certificate', { lane: `${lane.location.shortName}, ${name}` })} open onClose={close} wide>
          <CertificateForm {...form} onSaved={() => saved(t('certificate-added'))} />
        </Dialog>
      )}
      {opened !== null && opened !== 'new' && 'change' in opened && (
        <Dialog title={t('ui:change-named', { name: opened.change.number })} open onClose={close} wide>
          <CertificateForm
            {...form}
            entry={opened.change}
            onSaved={() => saved(t('ui:saved', { name: opened.change.number }))}
          />
        </Dialog>
      )}
      {opened !== null && opened !== 'new' && 'revoke' in opened && (
        <Dialog title={t('revoke-question', { number: opened.revoke.number })} open onClose={close}>
          <RevokeForm
            entry={opened.revoke}
            onStale={reload}
            onCancel={close}
            onSaved={() => saved(t('revoke-done', { number: opened.revoke.number }))}
          />
        </Dialog>
      )}
    </article>
  )
}

/** What the figures of the lane are for; takes effect at once. */
function Purpose({ lane, canChange }: { lane: WireLane; canChange: boolean }) {
  const { t } = useTranslation('certificates')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const change = useMutation({
    mutationFn: (purpose: LanePurpose) => call(changePurpose, { params: { id: lane.id }, body: { purpose } }),
    onSuccess: (_, purpose) => showSuccess(t('changed-purpose', { purpose: t(`purpose-${purpose}`) })),
    onError: (error) => showWarning(t('failed-purpose'), error),
    onSettled: () => invalidateCertificates(client),
  })
  if (!canChange) return <span>{t(`purpose-${lane.purpose}`)}</span>
  return (
    <Select
      className={css.purpose ?? ''}
      aria-label={`${t('purpose')}: ${lane.location.shortName}, ${t('lane', { number: lane.laneNumber })}`}
      data={lanePurposes.map((purpose) => ({ value: purpose, label: t(`purpose-${purpose}`) }))}
      allowDeselect={false}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      disabled={change.isPending}
      value={change.isPending ? change.variables : lane.purpose}
      onChange={(selected) => {
        const purpose = lanePurposes.find((option) => option === selected)
        if (purpose && purpose !== lane.purpose) change.mutate(purpose)
      }}
    />
  )
}

function useColumns(
  canChange: boolean,
  open: (opened: DialogState) => void,
  reload: () => void,
): Column<WireCertificate>[] {
  const { t } = useTranslation('certificates')
  const actions: Column<WireCertificate> = {
    key: 'actions',
    share: 2.4,
    title: t('ui:change'),
    plain: true,
    cell: (certificate) => {
      const { number, isUsed, revoked } = certificate
      if (revoked) return null
      if (isUsed)
        return (
          <Actions>
            <Button
              variant="default"
              size="xs"
              aria-label={`${t('revoke')}: ${number}`}
              onClick={() => open({ revoke: certificate })}
            >
              {t('revoke')}
            </Button>
          </Actions>
        )
      return (
        <EntryActions name={number} onEdit={() => open({ change: certificate })}>
          <DeleteEntry
            name={number}
            question={t('delete-certificate-question', { number })}
            gone="certificate-not-found"
            remove={() => call(removeCertificate, { params: { id: certificate.id } })}
            onDeleted={reload}
          />
        </EntryActions>
      )
    },
  }
  return [
    {
      key: 'number',
      share: 2,
      title: t('number'),
      head: true,
      sortBy: ({ number }) => number,
      cell: ({ number }) => number,
    },
    { key: 'kind', share: 2, title: t('kind'), cell: ({ kind }) => t(`certificate-${kind}`) },
    {
      key: 'authority',
      share: 2.4,
      title: t('authority'),
      sortBy: ({ authority }) => authority,
      cell: ({ authority }) => authority,
    },
    {
      key: 'validity',
      share: 2.4,
      title: t('validity'),
      first: 'desc',
      sortBy: ({ validUntil }) => validUntil,
      cell: formatValidity,
    },
    {
      key: 'speeds',
      share: 1.5,
      title: t('speeds'),
      cell: ({ minSpeed, maxSpeed }) => <Speeds min={minSpeed} max={maxSpeed} />,
    },
    {
      key: 'state',
      share: 3,
      title: t('state'),
      wide: true,
      cell: (certificate) => <State certificate={certificate} />,
    },
    {
      key: 'file',
      share: 2.6,
      title: t('file'),
      cell: (certificate) => <CertificateFile certificate={certificate} canChange={canChange} />,
    },
    ...(canChange ? [actions] : []),
  ]
}

const Actions = ({ children }: { children: ReactNode }) => <div className={css.actions}>{children}</div>

function Speeds({ min, max }: { min: number | null; max: number | null }) {
  const { t } = useTranslation('certificates')
  if (min === null && max === null) return t('any-speed')
  return `${min ?? 0}–${max ?? MISSING}`
}

function State({ certificate }: { certificate: WireCertificate }) {
  const { t } = useTranslation('certificates')
  const { revoked, isUsed } = certificate
  if (revoked)
    return (
      <span className={css.quiet}>
        {t('revoked', { day: formatDate(revoked.at), by: revoked.by, reason: revoked.reason })}
      </span>
    )
  if (!isUsed) return t('not-yet')
  const { validFrom, validUntil } = certificate
  return t(isValidAt({ validFrom, validUntil }, new Date(serverNow())) ? 'in-force' : 'ended')
}
