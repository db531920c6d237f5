import { useQuery } from '@tanstack/react-query'
import type { ComponentType, FunctionComponent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Main } from './frame/Main.tsx'
import { loadTexts } from './i18n.ts'
import { withTimeout } from './withTimeout.ts'

/** Loading fails after this time. */
const CHUNK_TIMEOUT_MS = 120_000

type Load<N extends string, P> = () => Promise<Record<N, ComponentType<P>>>

/** Lazy-loaded page, with the texts of the features that it needs. */
export const lazyPage = <N extends string>(name: N, features: readonly string[], load: Load<N, object>) =>
  lazyPart(name, load, { features, Wrapper: Main })

type Options<P> = {
  features?: readonly string[]
  Wrapper?: ComponentType<P & { children: ReactNode }>
  /** Shown instead of the reload button. */
  Failure?: ComponentType
}

const NoWrapper = ({ children }: { children: ReactNode }) => children

/**
 * Lazy-loaded component. While loading, and with a reload button if it failed, it is rendered inside `Wrapper`, which
 * receives the component's props.
 */
export function lazyPart<N extends string, P extends object>(
  name: N,
  load: Load<N, P>,
  { features = [], Wrapper = NoWrapper, Failure }: Options<P> = {},
): FunctionComponent<P> {
  const loadPart = async (): Promise<{ Part: ComponentType<P> }> => {
    const [part] = await Promise.all([load(), loadTexts(features)])
    return { Part: part[name] }
  }
  return function LazyPart(props: P) {
    const { t } = useTranslation()
    const { data, error } = useQuery({
      queryKey: ['page', name],
      queryFn: () => withTimeout(loadPart(), CHUNK_TIMEOUT_MS),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      retry: false,
      structuralSharing: false,
    })
    if (data) return <data.Part {...props} />
    if (error && Failure) return <Failure />
    return (
      <Wrapper {...props}>
        {error ? (
          // Browsers cache a failed import until the page is reloaded.
          <ErrorBanner error={t('page-not-loaded')} retry={() => location.reload()} />
        ) : (
          <Loading label={t('loading-page')} />
        )}
      </Wrapper>
    )
  }
}
