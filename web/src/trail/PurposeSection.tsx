import { removePurpose } from '@rogatka/contract/trail.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { showError } from '../core/errors.ts'
import { formatClock } from '../core/format.ts'
import { askPurpose } from '../core/purpose.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { purposeQuery } from './purposeQuery.ts'

/** The purpose in force and its end, which may be changed or ended. */
export function PurposeSection() {
  const { t } = useTranslation('trail')
  const client = useQueryClient()
  const { data } = useQuery(purposeQuery)
  const end = useMutation({
    mutationFn: () => call(removePurpose),
    onSuccess: () => client.setQueryData(purposeQuery.queryKey, (old) => old && { ...old, current: null }),
    onError: (failure) => showError(failure, { title: t('end-failed') }),
  })
  if (!data?.current) return null
  const { purpose, reference, note, until } = data.current
  return (
    <FilterSection title={t('in-force')} onRemove={() => end.mutate()}>
      <FilterLines>
        <FilterLine figure={t('in-force-until', { time: formatClock(until) })}>
          <span>{t(`purpose-${purpose}`)}</span>
        </FilterLine>
        {[reference, note].map(
          (text) =>
            text && (
              <FilterLine key={text}>
                <span>{text}</span>
              </FilterLine>
            ),
        )}
      </FilterLines>
      <p>
        <LinkButton onClick={() => void askPurpose(null)}>{t('change-purpose')}</LinkButton>
      </p>
    </FilterSection>
  )
}
