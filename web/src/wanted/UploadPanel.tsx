import { Button, FileButton, Progress } from '@mantine/core'
import { errorCodes } from '@rogatka/contract/errors.ts'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { useStore } from '../core/store.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import entry from '../ui/Entry.module.css'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FileIcon, TrashIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { pageCount } from '../ui/pages.ts'
import type { RejectedRow } from './csv.ts'
import type { SendRow, Uploader } from './upload.ts'
import css from './Wanted.module.css'

/** Rows of a file per page. */
const ROWS = 5

type Props<R extends { line: number }> = {
  upload: Uploader<R>
  /** Description of the file format. */
  hint: string
  headers: readonly string[]
  cellsOf: (row: R) => readonly string[]
  send: SendRow<R>
  /** Called if at least one row was added. */
  onSent: (count: number) => void
}

/** Upload of a file: select, check, send row by row; rejected rows are shown with their reason. */
export function UploadPanel<R extends { line: number }>({
  upload,
  hint,
  headers: heads,
  cellsOf,
  send,
  onSent,
}: Props<R>) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const { pending, rejected, running, error, tooLarge, unreadable, reading } = useStore(upload.store)
  const resetFile = useRef<() => void>(null)
  const selectFile = (file: File | null) => {
    // Resets the input, so that a corrected file of the same name can be selected.
    resetFile.current?.()
    if (file) void upload.read(file)
  }
  const submit = async () => {
    const added = await upload.submit(send)
    if (added > 0) onSent(added)
  }
  const text = (key: string, title: string, at: number): Column<R> => ({
    key,
    title,
    wide: at === heads.length - 1,
    cell: (row) => cellsOf(row)[at],
  })
  const columns: Column<R>[] = [
    { key: 'line', title: t('line'), right: true, cell: ({ line }) => number(line) },
    ...heads.map((head, at) => text(`cell ${at}`, head, at)),
    {
      key: 'remove',
      title: t('remove'),
      plain: true,
      cell: (row) => (
        <Button
          variant="default"
          size="xs"
          aria-label={t('remove-row', { line: row.line })}
          disabled={running !== null}
          onClick={() => upload.remove(row.line)}
        >
          <TrashIcon size={14} />
        </Button>
      ),
    },
  ]
  return (
    <Panel>
      <Section title={t('csv')}>
        <div className={entry.form}>
          <p className={entry.reason}>{hint}</p>
          <div className={entry.buttons}>
            <FileButton resetRef={resetFile} accept=".csv,.txt,text/csv,text/plain" onChange={selectFile}>
              {(props) => (
                <Button {...props} variant="default" leftSection={<FileIcon />} disabled={running !== null || reading}>
                  {t('select-file')}
                </Button>
              )}
            </FileButton>
          </div>
          {tooLarge && <Notice kind="error">{t('file-too-large')}</Notice>}
          {unreadable && <Notice kind="error">{t('file-unreadable')}</Notice>}
          {reading && <Loading label={t('reading')} />}
          {error !== null && <ErrorBanner error={error} title={t('sending-stopped')} />}
          {running && (
            <div className={css.progress}>
              <Progress
                value={(100 * running.done) / Math.max(1, running.total)}
                aria-label={t('sending')}
                transitionDuration={0}
              />
              <span role="status">{t('sent-of', { done: number(running.done), total: number(running.total) })}</span>
              <Button variant="default" size="xs" onClick={upload.cancel}>
                {t('cancel-sending')}
              </Button>
            </div>
          )}
          {pending.length > 0 && (
            <>
              <Rows label={t('pending', { count: pending.length })} columns={columns} rows={pending} />
              {!running && (
                <div className={entry.buttons}>
                  <Button onClick={() => void submit()}>{t('send-rows', { count: pending.length })}</Button>
                  <Button variant="default" onClick={upload.clear}>
                    {t('clear-rows')}
                  </Button>
                </div>
              )}
            </>
          )}
          {rejected.length > 0 && <RejectedRows rows={rejected} onDismiss={upload.dismiss} />}
        </div>
      </Section>
    </Panel>
  )
}

type RowsProps<R> = { label: string; columns: Column<R>[]; rows: readonly R[] }

/** Paginated rows of a file; sent rows disappear. */
function Rows<R extends { line: number }>({ label, columns, rows }: RowsProps<R>) {
  const { number } = useFormat()
  const [page, setPage] = useState(1)
  const pages = pageCount(rows.length, ROWS)
  const visiblePage = Math.min(page, pages)
  return (
    <div>
      <p className={css.caption}>{label}</p>
      <DataTable
        label={label}
        columns={columns}
        rows={rows.slice((visiblePage - 1) * ROWS, visiblePage * ROWS)}
        keyOf={({ line }) => line}
      />
      {pages > 1 && <Pagination page={visiblePage} count={pages} onPage={setPage} format={number} />}
    </div>
  )
}

const isCode = (error: string) => (errorCodes as readonly string[]).includes(error)

function RejectedRows({ rows, onDismiss }: { rows: readonly RejectedRow[]; onDismiss: () => void }) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const reasonOf = (row: RejectedRow) =>
    'message' in row ? row.message : t(isCode(row.error) ? `errors:${row.error}` : `row-${row.error}`)
  return (
    <section className={css.rejected} aria-label={t('rejected', { count: rows.length })}>
      <Rows
        label={t('rejected', { count: rows.length })}
        columns={[
          { key: 'line', title: t('line'), right: true, cell: ({ line }) => number(line) },
          { key: 'text', title: t('row'), wide: true, cell: ({ text }) => <code className={css.raw}>{text}</code> },
          { key: 'reason', title: t('reason'), wide: true, cell: reasonOf },
        ]}
        rows={rows}
      />
      <div className={entry.buttons}>
        <Button variant="default" onClick={onDismiss}>
          {t('dismiss-rejected')}
        </Button>
      </div>
    </section>
  )
}
