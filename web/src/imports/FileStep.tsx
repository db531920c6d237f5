import { MAX_IMPORT_BYTES, upload } from '@rogatka/contract/imports.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callRaw } from '../core/call.ts'
import { formatMinute, MISSING, useFormat } from '../core/format.ts'
import { type Column, DataTable, PAGE_ORDER } from '../ui/DataTable.tsx'
import { DropArea } from '../ui/DropArea.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './Imports.module.css'
import { type ImportEntry, showImport, useImportList } from './useImports.ts'

/** First step: a file is dropped or chosen; formats that are read, and earlier imports. */
export function FileStep() {
  return (
    <div className={css.middle}>
      <Upload />
      <Formats />
      <EarlierImports />
    </div>
  )
}

function Upload() {
  const { t } = useTranslation('imports')
  const client = useQueryClient()
  const navigate = useNavigate()
  const textOf = useErrorText()
  const sending = useRef<AbortController>(null)
  const send = useMutation({
    mutationFn: (file: File) => {
      if (file.size > MAX_IMPORT_BYTES) return Promise.reject('too-large')
      const controller = new AbortController()
      sending.current = controller
      return callRaw(upload, new Blob([file]), { query: { fileName: file.name }, signal: controller.signal })
    },
    onSuccess: (entry) => showImport(client, entry),
  })
  const add = (file: File) =>
    // Not called when the user has left the page meanwhile.
    send.mutate(file, { onSuccess: ({ id }) => void navigate({ to: '/imports', search: { id } }) })
  return (
    <>
      {send.error && (
        <Notice kind="error">
          <b>{t('refused-file')}</b>{' '}
          {send.error === ('too-large' as unknown) ? t('errors:too-large') : textOf(send.error)}
        </Notice>
      )}
      <DropArea
        label={t('step-file')}
        title={send.isPending ? t('uploading') : t('drop')}
        hint={t('drop-hint')}
        choose={t('choose')}
        isLoading={send.isPending}
        onAdd={add}
        onCancel={() => {
          sending.current?.abort()
          send.reset()
        }}
      />
    </>
  )
}

const FORMATS = ['zst', 'w', 'csv', 'jsonl'] as const

function Formats() {
  const { t } = useTranslation('imports')
  const yesNo = (has: boolean) => t(has ? 'yes' : 'no')
  const columns: Column<(typeof FORMATS)[number]>[] = [
    { key: 'format', title: t('format'), head: true, cell: (name) => <b>{t(`format-${name}`)}</b> },
    { key: 'origin', title: t('origin'), cell: (name) => t(`origin-${name}`) },
    { key: 'units', title: t('units'), cell: (name) => t(`units-${name}`) },
    { key: 'plates', title: t('plates'), right: true, cell: (name) => yesNo(name === 'csv' || name === 'jsonl') },
  ]
  return (
    <section className={css.panel}>
      <header>
        <h2>{t('formats')}</h2>
        <span className={css.label}>{t('formats-hint')}</span>
      </header>
      <DataTable label={t('formats')} columns={columns} rows={FORMATS} keyOf={(name) => FORMATS.indexOf(name)} />
    </section>
  )
}

function EarlierImports() {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  const { data, error, refetch } = useImportList()
  const columns: Column<ImportEntry>[] = [
    { key: 'at', title: t('uploaded-at'), cell: ({ createdAt }) => formatMinute(createdAt) },
    { key: 'file', title: t('file'), head: true, wide: true, cell: ({ fileName }) => <b>{fileName}</b> },
    { key: 'state', title: t('state'), cell: ({ state }) => t(`state-${state}`) },
    {
      key: 'written',
      title: t('written'),
      right: true,
      cell: ({ startedAt, written }) => (startedAt ? number(written) : MISSING),
    },
    { key: 'user', title: t('by'), cell: ({ createdBy }) => createdBy ?? t('by-command') },
    {
      key: 'open',
      title: t('report'),
      plain: true,
      right: true,
      cell: ({ id, fileName }) => (
        <Link to="/imports" search={{ id }} className={css.link} aria-label={`${t('report')}: ${fileName}`}>
          {t('report')}
        </Link>
      ),
    },
  ]
  return (
    <section className={css.panel}>
      <header>
        <h2>{t('earlier')}</h2>
      </header>
      {!data && !error && <Loading label={t('loading-list')} />}
      {!data && error && <ErrorBanner error={error} title={t('list-failed')} retry={() => void refetch()} />}
      {data?.content.length === 0 && <p className={css.none}>{t('no-imports')}</p>}
      {data && data.content.length > 0 && (
        <DataTable
          label={t('earlier')}
          columns={columns}
          rows={data.content}
          keyOf={({ id }) => id}
          order={PAGE_ORDER}
        />
      )}
    </section>
  )
}
