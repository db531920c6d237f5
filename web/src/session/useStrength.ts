import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLanguage } from '../core/language.ts'
import { loadPasswordRating, type Strength } from './strength.ts'

/** Debounce, as rating is slow. */
const DELAY_MS = 250

/** Strength of a password; null if empty or while loading. */
export function useStrength(password: string, personalData: readonly (string | null | undefined)[]): Strength | null {
  const language = useLanguage()
  const [debounced] = useDebouncedValue(password, DELAY_MS)
  const { data } = useQuery({
    queryKey: ['page', 'strength', language],
    queryFn: async () => ({ rate: await loadPasswordRating(language) }),
    enabled: password !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  })
  const personalText = personalData.filter(Boolean).join('\n')
  return useMemo(
    () => (data && debounced !== '' ? data.rate(debounced, personalText.split('\n')) : null),
    [data, debounced, personalText],
  )
}
