import type { OffenderInspection } from '@rogatka/contract/offenders.ts'
import { useTranslation } from 'react-i18next'

type Inspection = Pick<OffenderInspection, 'results' | 'state'>

/** Text of an inspection: its results, else its state. */
export function useOutcomeText() {
  const { t } = useTranslation('offenders')
  return ({ results, state }: Inspection): string =>
    results.length > 0 ? results.map((result) => t(`result-${result}`)).join(', ') : t(`state-${state}`)
}
