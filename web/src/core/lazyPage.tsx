import { useQuery } from '@tanstack/react-query'
import type { ComponentType, FunctionComponent } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Main } from './frame/Main.tsx'
import { within } from './within.ts'

/** A page's script that has not come after so long will not come. */
const CHUNK_TIMEOUT_MS = 120_000

/** A page whose script is fetched when it is first shown. When that fails the page says so and offers to try again. */
export function lazyPage<N extends string>(name: N, load: () => Promise<Record<N, ComponentType>>): FunctionComponent {
  return function LazyPage() {
    const { t } = useTranslation()
    const page = useQuery({
      queryKey: ['page', name],
      queryFn: async (): Promise<{ Page: ComponentType }> => ({ Page: (await within(load(), CHUNK_TIMEOUT_MS))[name] }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      retry: false,
      structuralSharing: false,
    })
    if (page.data) return <page.data.Page />
    return (
      <Main>
        {page.error ? (
          // A browser remembers a script that failed for as long as the page lives: only a new page asks again.
          <ErrorBanner error={t('page-not-loaded')} retry={() => location.reload()} />
        ) : (
          <Loading label={t('loading-page')} />
        )}
      </Main>
    )
  }
}
