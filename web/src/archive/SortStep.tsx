import { Select } from '@mantine/core'
import { type SortColumn, sortColumns } from '@rogatka/contract/vehicle.ts'
import { sortDirections } from '@rogatka/contract/wire.ts'
import { useTranslation } from 'react-i18next'
import { useRight } from '../core/useSelf.ts'
import { Section, SectionNote, SinglePanel } from '../ui/Panel.tsx'
import { useFilterTexts } from '../vehicle/publicApi.ts'
import css from './Steps.module.css'
import { type ArchiveSearch, MAX_LEVELS, orderFrom, type SortLevel, sortLevels, withLevel } from './search.ts'

type Props = {
  search: ArchiveSearch
  onChange: (changes: Partial<ArchiveSearch>) => void
}

/** Step 3: up to three sort levels; each one enables the next. */
export function SortStep({ search, onChange }: Props) {
  const { t } = useTranslation('archive')
  const levels = sortLevels(search)
  const displayedLevels = Array.from({ length: Math.min(levels.length + 1, MAX_LEVELS) }, (_, index) => levels[index])
  const set = (index: number, level: SortLevel | null) => onChange(orderFrom(withLevel(levels, index, level)))

  return (
    <SinglePanel>
      <Section title={t('order')} hint={t('order-hint')}>
        <div className={css.levels}>
          {displayedLevels.map((level, index) => (
            <Level
              key={level?.column ?? 'next'}
              index={index}
              level={level}
              usedColumns={levels.slice(0, index).map(({ column }) => column)}
              removable={levels.length > 1}
              onChange={(next) => set(index, next)}
            />
          ))}
        </div>
        <SectionNote>{t('order-ties')}</SectionNote>
      </Section>
    </SinglePanel>
  )
}

type LevelProps = {
  index: number
  /** Undefined: a new level. */
  level: SortLevel | undefined
  /** Columns of the previous levels. */
  usedColumns: readonly SortColumn[]
  removable: boolean
  onChange: (level: SortLevel | null) => void
}

function Level({ index, level, usedColumns, removable, onChange }: LevelProps) {
  const { t } = useTranslation('archive')
  const { columnName, directionName } = useFilterTexts()
  const anonymous = useRight('Anonymization')
  const columns = sortColumns.filter((column) => !usedColumns.includes(column) && !(anonymous && column === 'plateLpr'))
  const selectColumn = (name: string | null) => {
    const column = sortColumns.find((option) => option === name)
    onChange(column ? { column, direction: level?.direction ?? 'desc' } : null)
  }
  return (
    <fieldset className={css.level} aria-label={t('order-level', { level: index + 1 })}>
      <i aria-hidden="true">{index + 1}</i>
      <Select
        aria-label={t('vehicle:order-column')}
        placeholder={t('order-none')}
        data={columns.map((column) => ({ value: column, label: columnName(column) }))}
        value={level?.column ?? null}
        onChange={selectColumn}
        allowDeselect={false}
        clearable={level !== undefined && removable}
        clearButtonProps={{ 'aria-label': t('order-remove') }}
      />
      {level && (
        <Select
          aria-label={t('vehicle:direction')}
          data={sortDirections.map((direction) => ({ value: direction, label: directionName(direction) }))}
          value={level.direction}
          allowDeselect={false}
          onChange={(direction) => onChange({ ...level, direction: direction === 'asc' ? 'asc' : 'desc' })}
        />
      )}
    </fieldset>
  )
}
