import { Button, Kbd } from '@mantine/core'
import { cancel, changeOptions, run } from '@rogatka/contract/imports.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { showError } from '../core/errors.ts'
import { formatDay, MISSING, useFormat } from '../core/format.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { Notice } from '../ui/Notice.tsx'
import { BackButton } from '../ui/StepButtons.tsx'
import { DaysPanel, FiguresNotice } from './DaysPanel.tsx'
import { Figures, Meter } from './Figures.tsx'
import { ImportLayout } from './ImportLayout.tsx'
import css from './Imports.module.css'
import { LanesPanel } from './LanesPanel.tsx'
import { OptionsPanel } from './OptionsPanel.tsx'
import { ReasonsPanel } from './ReasonsPanel.tsx'
import { type Import, type Options, showImport } from './useImports.ts'

const [KB, MB] = [1024, 1024 ** 2]

/** Second step: what an import would store, with how the file is read, which can be changed. */
export function TrialStep({ entry }: { entry: Import }) {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [changed, setChanged] = useState<Options | null>(null)
  const options = changed ?? entry.options
  const { trial, state, error, hasFile } = entry
  const onError = (failure: unknown) => {
    showError(failure, { title: t('change-failed') })
    // Somebody else may have changed it.
    void client.invalidateQueries({ queryKey: ['imports', 'one', entry.id] })
  }
  const onSuccess = (result: Import) => {
    showImport(client, result)
    setChanged(null)
  }
  const [params, query] = [{ id: entry.id }, { revision: entry.revision }]
  const start = useMutation({ mutationFn: () => call(run, { params, query }), onSuccess, onError })
  const retry = useMutation({
    mutationFn: () => call(changeOptions, { params, query, body: options }),
    onSuccess,
    onError,
  })
  const stop = useMutation({
    mutationFn: () => call(cancel, { params }),
    onSuccess: (result) => {
      showImport(client, result)
      void navigate({ to: '/imports', search: {} })
    },
    onError,
  })
  const canRun = state === 'checked' && trial !== null && trial.new + trial.duplicates > 0 && changed === null
  const mustRetry = changed !== null || state === 'failed'
  const submit = () => {
    if (mustRetry && hasFile) retry.mutate()
    else if (canRun) start.mutate()
  }
  useShortcuts([{ key: 'Ctrl+Enter', label: t(mustRetry ? 'try-again' : 'step-run'), run: submit }])
  const actions = (
    <>
      <span className={css.nothing}>{t('nothing-written')}</span>
      <BackButton onClick={() => (state === 'cancelled' ? void navigate({ to: '/imports' }) : stop.mutate())} />
      {mustRetry ? (
        <Button loading={retry.isPending} disabled={!hasFile} onClick={submit}>
          {t('try-again')}
        </Button>
      ) : (
        <Button loading={start.isPending} disabled={!canRun} onClick={submit}>
          {trial && canRun ? t('import-count', { count: trial.new, number: number(trial.new) }) : t('step-run')}
          <Kbd className={css.kbd ?? ''}>Ctrl Enter</Kbd>
        </Button>
      )}
    </>
  )
  return (
    <ImportLayout step={2} actions={actions}>
      <div className={css.trial}>
        {error && <Notice kind={trial ? 'error' : 'attention'}>{error}</Notice>}
        <p className={css.nothingBelow}>{t('nothing-written')}</p>
        {state === 'checking' ? <Checking entry={entry} /> : trial && <TrialFigures entry={entry} />}
        <div className={css.columns}>
          {trial && state !== 'checking' && (
            <div className={css.stack}>
              <ReasonsPanel entry={entry} trial={trial} />
              <DaysPanel trial={trial} />
              <LanesPanel trial={trial} options={options} onChange={setChanged} />
            </div>
          )}
          <OptionsPanel entry={entry} options={options} onChange={setChanged} />
        </div>
      </div>
    </ImportLayout>
  )
}

function Checking({ entry: { trialPercent, fileName } }: { entry: Import }) {
  const { t } = useTranslation('imports')
  return (
    <section className={`${css.panel} ${css.card}`}>
      <h2>{t('checking', { name: fileName })}</h2>
      <Meter label={t('step-trial')} percent={trialPercent} />
    </section>
  )
}

function TrialFigures({ entry }: { entry: Import }) {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  const { trial, fileName, fileSize } = entry
  if (!trial) return null
  const share = (count: number) => (trial.rows > 0 ? `${number((100 * count) / trial.rows, 1)} %` : '')
  const size = fileSize < MB ? `${number(Math.ceil(fileSize / KB))} KB` : `${number(fileSize / MB, 1)} MB`
  const notices = [
    ['ambiguous-times', trial.ambiguousTimes],
    ['gross-only', trial.grossOnly],
    ['in-filled-hours', trial.inFilledHours],
  ] as const
  const [first, last] = [trial.days[0]?.day, trial.days.at(-1)?.day]
  return (
    <>
      <Figures
        label={t('step-trial')}
        figures={[
          { name: t('rows'), value: number(trial.rows), note: `${fileName} · ${size}` },
          { name: t('to-write'), value: number(trial.new), note: share(trial.new) },
          { name: t('duplicates'), value: number(trial.duplicates), note: t('duplicates-hint') },
          {
            name: t('refused'),
            value: number(trial.refused),
            note: trial.refused > 0 && `${share(trial.refused)} · ${t('reasons', { count: trial.reasons.length })}`,
          },
          {
            name: t('time-of-measurements'),
            value: first ? t('days', { count: trial.days.length, number: number(trial.days.length) }) : MISSING,
            note: first && last && (first === last ? formatDay(first) : `${formatDay(first)}–${formatDay(last)}`),
          },
        ]}
      />
      <FiguresNotice trial={trial} />
      {notices.map(
        ([key, count]) => count > 0 && <Notice key={key}>{t(key, { count, number: number(count) })}</Notice>,
      )}
    </>
  )
}
