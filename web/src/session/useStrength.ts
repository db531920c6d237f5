import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLanguage } from '../core/language.ts'
import { loadJudge, type Strength } from './strength.ts'

/** Debounce, as rating is slow. */
const DELAY_MS = 250

/** Strength of a password; null if empty or while loading. */
export function useStrength(password: string, own: readonly (string | null | undefined)[]): Strength | null {
  const language = useLanguage()
  const [settled] = useDebouncedValue(password, DELAY_MS)
  const { data } = useQuery({
    queryKey: ['page', 'strength', language],
    queryFn: async () => ({ judge: await loadJudge(language) }),
    enabled: password !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  })
  const known = own.filter(Boolean).join('\n')
  return useMemo(() => (data && settled !== '' ? data.judge(settled, known.split('\n')) : null), [data, settled, known])
}
