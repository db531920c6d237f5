import { useTranslation } from 'react-i18next'
import { Section } from '../ui/Panel.tsx'
import { CostClassChoice, NationalityField } from './TimeAndOriginChoices.tsx'
import type { TimeAndOriginFilters } from './timeAndOrigin.ts'

type Props = { search: TimeAndOriginFilters; onChange: (changes: Partial<TimeAndOriginFilters>) => void }

/** COST 323 classes and countries. */
export function OriginSections(props: Props) {
  const { t } = useTranslation('vehicle')
  return (
    <>
      <Section title={t('cost-classes')}>
        <CostClassChoice {...props} />
      </Section>
      <Section title={t('nationalities')}>
        <NationalityField {...props} />
      </Section>
    </>
  )
}
