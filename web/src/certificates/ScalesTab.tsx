import { removeScale } from '@rogatka/contract/certificates.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useFormat } from '../core/format.ts'
import { DeleteEntry } from '../core/frame/DeleteEntry.tsx'
import { hasDraft } from '../core/useDraft.ts'
import { useListFailure } from '../core/useListFailure.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import css from './Certificates.module.css'
import { draftOf } from './draftOf.ts'
import { ExpiryMark } from './ExpiryMark.tsx'
import { formatValidity } from './formatValidity.ts'
import { ScaleForm } from './ScaleForm.tsx'
import { ScaleCertificate, ScaleHistory } from './ScaleHistory.tsx'
import { invalidateCertificates, useScales, type WireScale } from './useCertificates.ts'

/** Static scales: form of a new one, and table. */
export function ScalesTab({ canChange }: { canChange: boolean }) {
  const { t } = useTranslation('certificates')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const { data, error, refetch } = useScales()
  useListFailure(t('scales-failed'), error, data !== undefined)
  const reload = () => void invalidateCertificates(client)
  return (
    <>
      {canChange && (
        <div className={css.entry}>
          <ScaleForm
            onStale={reload}
            onSaved={() => {
              showSuccess(t('scale-added'))
              reload()
            }}
          />
        </div>
      )}
      {!data && !error && <Loading label={t('loading')} />}
      {!data && error && <ErrorBanner error={error} title={t('scales-failed')} retry={() => void refetch()} />}
      {data?.length === 0 && <Notice kind="quiet">{t('no-scales')}</Notice>}
      {data && data.length > 0 && <ScaleTable scales={data} canChange={canChange} reload={reload} />}
    </>
  )
}

type TableProps = { scales: WireScale[]; canChange: boolean; reload: () => void }

/** Table of the scales, and dialog of the one that is changed. */
function ScaleTable({ scales, canChange, reload }: TableProps) {
  const { t } = useTranslation('certificates')
  const showSuccess = useSuccessToast()
  const [edited, setEdited] = useState(() => scales.find(({ id }) => hasDraft(draftOf('scale', id))) ?? null)
  const columns = useColumns(canChange, setEdited, reload)
  return (
    <>
      <DataTable label={t('tab-scales')} columns={columns} rows={scales} keyOf={({ id }) => id} />
      {edited && (
        <Dialog title={t('ui:change-named', { name: edited.name })} open onClose={() => setEdited(null)} wide>
          <ScaleForm
            key={edited.id}
            entry={edited}
            onStale={reload}
            onCancel={() => setEdited(null)}
            onSaved={() => {
              showSuccess(t('ui:saved', { name: edited.name }))
              reload()
              setEdited(null)
            }}
          />
          <ScaleHistory scale={edited} />
        </Dialog>
      )}
    </>
  )
}

function useColumns(
  canChange: boolean,
  onEdit: (scale: WireScale) => void,
  onDeleted: () => void,
): Column<WireScale>[] {
  const { t } = useTranslation('certificates')
  const { number } = useFormat()
  const actions: Column<WireScale> = {
    key: 'actions',
    title: t('ui:change'),
    plain: true,
    cell: (scale) => (
      <EntryActions name={scale.name} onEdit={() => onEdit(scale)}>
        {scale.isUsed ? (
          <span className={css.used}>{t('scale-used')}</span>
        ) : (
          <DeleteEntry
            name={scale.name}
            question={t('delete-scale-question', { name: scale.name })}
            gone="scale-not-found"
            remove={() => call(removeScale, { params: { id: scale.id } })}
            onDeleted={onDeleted}
          />
        )}
      </EntryActions>
    ),
  }
  return [
    { key: 'name', title: t('name'), head: true, sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      key: 'kind',
      title: t('kind'),
      sortBy: ({ kind }) => t(`kind-${kind}`),
      cell: ({ kind }) => t(`kind-${kind}`),
    },
    { key: 'certificate', title: t('certificate'), cell: (scale) => <ScaleCertificate {...scale} /> },
    {
      key: 'authority',
      title: t('authority'),
      sortBy: ({ authority }) => authority,
      cell: ({ authority }) => authority,
    },
    { key: 'validity', title: t('validity'), sortBy: ({ validUntil }) => validUntil, cell: formatValidity },
    {
      key: 'accuracy',
      title: t('accuracy'),
      right: true,
      sortBy: ({ accuracyPercent }) => accuracyPercent,
      cell: ({ accuracyPercent }) => number(accuracyPercent, 1),
    },
    { key: 'state', title: t('state'), cell: ({ certificates }) => <ExpiryMark certificates={certificates} /> },
    ...(canChange ? [actions] : []),
  ]
}
