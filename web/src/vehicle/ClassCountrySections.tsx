import { useTranslation } from 'react-i18next'
import { Section } from '../ui/Panel.tsx'
import { CostClassChoice, NationalityField } from './TimeClassCountryChoices.tsx'
import type { TimeClassCountryFilters } from './timeClassCountry.ts'

type Props = { search: TimeClassCountryFilters; onChange: (changes: Partial<TimeClassCountryFilters>) => void }

/** COST 323 classes and countries. */
export function ClassCountrySections(props: Props) {
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
