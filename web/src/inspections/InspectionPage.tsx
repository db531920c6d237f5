import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiFailure } from '../core/failure.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useTitle } from '../core/useTitle.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { DeskInspection } from './DeskInspection.tsx'
import { PhoneInspection } from './PhoneInspection.tsx'
import { useInspectionProps } from './useInspectionProps.ts'
import { useInspection } from './useInspections.ts'

const PHONE_QUERY = '(max-width: 600px)'

/** One inspection: on a phone step by step, on a desk all at once. */
export function InspectionPage() {
  const { t } = useTranslation('inspections')
  const { id } = useParams({ strict: false }) as { id: number }
  const { data, error, refetch } = useInspection(id)
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/inspections' })
  // Without its plate: the browser keeps titles in its history.
  useTitle(data?.number ?? null)
  useShortcuts([{ key: 'Escape', label: t('back-to-queue'), run: back }])
  if (data) return <Loaded inspection={data} onBack={back} />
  const isUnknown = error instanceof ApiFailure && error.status === 404
  return (
    <PageLayout>
      {!error && <Loading label={t('loading')} />}
      {error && (
        <div data-framed>
          {isUnknown ? (
            <EmptyState title={t('not-found')} hint={t('not-found-hint')}>
              <Button variant="default" onClick={back}>
                {t('back-to-queue')}
              </Button>
            </EmptyState>
          ) : (
            <ErrorBanner error={error} title={t('load-failed')} retry={() => void refetch()} />
          )}
        </div>
      )}
    </PageLayout>
  )
}

function Loaded({ inspection, onBack }: { inspection: WireInspection; onBack: () => void }) {
  const props = useInspectionProps(inspection, onBack)
  const isPhone = useMediaQuery(PHONE_QUERY, false, { getInitialValueInEffect: false })
  return isPhone ? <PhoneInspection {...props} /> : <DeskInspection {...props} />
}
