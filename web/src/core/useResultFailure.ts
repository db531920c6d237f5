import { useEffect } from 'react'
import { showError } from './errors.ts'

type Result = { error: unknown; errorUpdatedAt: number; refetch: () => unknown }

/** Shows above the page that a result could not be loaded, with a retry button. */
export function useResultFailure({ error, errorUpdatedAt, refetch }: Result, title: string): void {
  // Shows every failure, as earlier messages disappear.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time distinguishes equal failures
  useEffect(() => {
    if (error) showError(error, { title, retry: () => void refetch() })
  }, [error, errorUpdatedAt, title, refetch])
}
