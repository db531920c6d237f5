import { TextInput } from '@mantine/core'
import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../ui/Panel.tsx'
import { ToggleRow } from '../ui/ToggleRow.tsx'
import { nationalitiesIn, type TimeAndOriginFilters } from './timeAndOrigin.ts'

type Props = { search: TimeAndOriginFilters; onChange: (changes: Partial<TimeAndOriginFilters>) => void }

const CLASSES = [1, 2, 3, 4, 5, 6, 7, 8, 0]

/** COST 323 classes and countries. */
export function OriginSections({ search, onChange }: Props) {
  const { t } = useTranslation('vehicle')
  const { ctg323 = [], nationalities = [] } = search
  const text = nationalities.join(' ')
  return (
    <>
      <Section title={t('cost-classes')}>
        <ToggleRow
          label={t('cost-classes')}
          options={CLASSES.map((value) => ({ value, label: value === 0 ? t('cost-class-none') : String(value) }))}
          selected={ctg323}
          onToggle={(one) => onChange({ ctg323: toggle(ctg323, one) })}
        />
      </Section>
      <Section title={t('nationalities')}>
        <Nationalities key={text} text={text} onChange={onChange} />
      </Section>
    </>
  )
}

type FieldProps = { text: string; onChange: Props['onChange'] }

/** Takes effect on Enter and when the field is left. */
function Nationalities({ text, onChange }: FieldProps) {
  const { t } = useTranslation('vehicle')
  const [draft, setDraft] = useState(text)
  const commit = () => {
    const nationalities = nationalitiesIn(draft)
    if (nationalities?.join(' ') !== (text || undefined)) onChange({ nationalities })
    else setDraft(text)
  }
  return (
    <TextInput
      aria-label={t('nationalities')}
      description={t('nationality-hint')}
      value={draft}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
      autoComplete="off"
      spellCheck={false}
    />
  )
}
