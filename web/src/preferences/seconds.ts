import { MAX_ADDITIONAL_SECONDS } from '@rogatka/contract/current.ts'

/** Error code of the typed additional time: whole seconds from 0 to 600; null if valid. */
export function secondsError(text: string): string | null {
  const trimmed = text.trim()
  if (/^-\d+$/.test(trimmed)) return 'value-too-small'
  if (!/^\d+$/.test(trimmed)) return 'invalid-number'
  return Number(trimmed) > MAX_ADDITIONAL_SECONDS ? 'value-too-large' : null
}
