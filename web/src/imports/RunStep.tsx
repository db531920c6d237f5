import { Button } from '@mantine/core'
import { cancel, run } from '@rogatka/contract/imports.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { showError } from '../core/errors.ts'
import { useFormat } from '../core/format.ts'
import { Notice } from '../ui/Notice.tsx'
import { Figures, Meter } from './Figures.tsx'
import css from './Imports.module.css'
import { type Import, showImport } from './useImports.ts'

type Props = { entry: Import }

/** The remaining time is not shown before this: the rate is not known yet. */
const MIN_ELAPSED_S = 3

/** Third step: progress of the run. */
export function RunStep({ entry }: Props) {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  const { fileName, written, duplicates, refused, collected, trial, startedAt, state, error } = entry
  const total = trial?.rows ?? 0
  const done = written + duplicates + refused + collected
  const percent = total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 0
  const elapsed = startedAt ? (serverNow() - Date.parse(startedAt)) / 1000 : 0
  const rate = elapsed >= MIN_ELAPSED_S ? done / elapsed : 0
  return (
    <div className={css.middle}>
      <section className={`${css.panel} ${css.card}`}>
        <h2>{t('importing', { name: fileName })}</h2>
        {state === 'failed' && <Notice kind="error">{error}</Notice>}
        <div>
          <div className={css.percent}>
            <b>{`${number(percent)} %`}</b>
            <span>{t('rows-of', { done: number(done), total: number(total) })}</span>
            {state === 'running' && rate > 0 && (
              <span className={css.remaining}>
                {t('remaining', { seconds: number(Math.ceil((total - done) / rate)) })}
              </span>
            )}
          </div>
          <Meter label={t('progress')} percent={percent} />
        </div>
        <Figures
          label={t('progress')}
          figures={[
            { name: t('rate'), value: rate > 0 ? number(Math.round(rate)) : '–', note: t('rows-per-second') },
            { name: t('written'), value: number(written) },
            { name: t('duplicates'), value: number(duplicates) },
            { name: t('refused'), value: number(refused) },
          ]}
        />
        <p className={css.label}>{t('leave-hint')}</p>
      </section>
    </div>
  )
}

export function RunActions({ entry }: Props) {
  const { t } = useTranslation('imports')
  const client = useQueryClient()
  const [params, query] = [{ id: entry.id }, { revision: entry.revision }]
  const change = useMutation({
    mutationFn: (kind: 'stop' | 'continue') =>
      kind === 'stop' ? call(cancel, { params }) : call(run, { params, query }),
    onSuccess: (changed) => showImport(client, changed),
    onError: (error) => showError(error, { title: t('change-failed') }),
  })
  return (
    <>
      {entry.state === 'failed' && (
        <Button loading={change.isPending} onClick={() => change.mutate('continue')}>
          {t('continue')}
        </Button>
      )}
      <Button variant="default" color="red" className={css.danger ?? ''} onClick={() => change.mutate('stop')}>
        {t('stop')}
      </Button>
    </>
  )
}
