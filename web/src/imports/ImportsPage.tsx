import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Steps } from '../ui/Steps.tsx'
import { DoneActions, DoneStep } from './DoneStep.tsx'
import { FileStep } from './FileStep.tsx'
import css from './Imports.module.css'
import { RunActions, RunStep } from './RunStep.tsx'
import { readImportsSearch } from './search.ts'
import { TrialStep } from './TrialStep.tsx'
import { type Import, useImport } from './useImports.ts'

/** Import of foreign files in four steps; the address names the import. */
export function ImportsPage() {
  const { id } = readImportsSearch(useSearch({ strict: false }))
  return id === undefined ? <NewImport /> : <OpenImport key={id} id={id} />
}

type LayoutProps = { step: number; actions?: ReactNode; children: ReactNode }

/** Title, steps and actions of the bar. A completed step leads to a new file: an import has no way back. */
export function ImportLayout({ step, actions, children }: LayoutProps) {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  const steps = ['step-file', 'step-trial', 'step-run', 'step-done'].map((name) => t(name))
  return (
    <PageLayout
      title={
        <div className={css.title}>
          <ListTitle>{t('core:nav-imports')}</ListTitle>
          <Steps steps={steps} current={step} onPick={() => void navigate({ to: '/imports', search: {} })} />
        </div>
      }
      actions={actions}
    >
      {children}
    </PageLayout>
  )
}

const NewImport = () => (
  <ImportLayout step={1}>
    <FileStep />
  </ImportLayout>
)

function OpenImport({ id }: { id: number }) {
  const { t } = useTranslation('imports')
  const { data, error, refetch } = useImport(id)
  if (data) return <StepOf entry={data} />
  return (
    <ImportLayout step={2}>
      {error ? (
        <ErrorBanner error={error} title={t('load-failed')} retry={() => void refetch()} />
      ) : (
        <Loading label={t('loading')} />
      )}
    </ImportLayout>
  )
}

function StepOf({ entry }: { entry: Import }) {
  const isRunning = entry.state === 'running' || (entry.state === 'failed' && entry.startedAt !== null && entry.hasFile)
  if (isRunning)
    return (
      <ImportLayout step={3} actions={<RunActions entry={entry} />}>
        <RunStep entry={entry} />
      </ImportLayout>
    )
  if (entry.state === 'done' || entry.state === 'cancelled')
    return (
      <ImportLayout step={4} actions={<DoneActions />}>
        <DoneStep entry={entry} />
      </ImportLayout>
    )
  return <TrialStep entry={entry} />
}
