import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { DoneActions, DoneStep } from './DoneStep.tsx'
import { FileStep } from './FileStep.tsx'
import { ImportLayout } from './ImportLayout.tsx'
import { RunActions, RunStep } from './RunStep.tsx'
import { readImportsSearch } from './search.ts'
import { TrialStep } from './TrialStep.tsx'
import { type Import, useImport } from './useImports.ts'

/** Import of foreign files in four steps; the address names the import. */
export function ImportsPage() {
  const { id } = readImportsSearch(useSearch({ strict: false }))
  return id === undefined ? <NewImport /> : <OpenImport key={id} id={id} />
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
