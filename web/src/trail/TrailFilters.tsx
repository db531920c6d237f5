import { Button, Select, TextInput } from '@mantine/core'
import { lookKinds, purposes } from '@rogatka/contract/looks.ts'
import { MAX_PLATE_LENGTH } from '@rogatka/contract/options.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { clearErrors, fieldErrors, showError } from '../core/errors.ts'
import type { DateRange } from '../ui/dateRange.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon, SearchIcon } from '../ui/icons.tsx'
import { RangeFilter } from '../ui/RangeFilter.tsx'
import { type TrailQuery, whoIn, whoOf } from './query.ts'
import { plateOf, searchPlate } from './searchedPlates.ts'
import css from './Trail.module.css'

export type Names = { users: ReadonlyMap<number, string>; systems: ReadonlyMap<number, string> }

type Props = { query: TrailQuery; names: Names; onApply: (query: TrailQuery) => void }

const noTransition = { comboboxProps: { transitionProps: { duration: 0 } } }

/** Filters by plate, person or system, kind, purpose and time; take effect with the search button. */
export function TrailFilters({ query, names, onApply }: Props) {
  const { t } = useTranslation('trail')
  const { lookup, kind, purpose, dateTimeStart: start, dateTimeEnd: end } = query
  const applied = {
    plate: plateOf(lookup) ?? '',
    lookup,
    who: whoOf(query),
    kind,
    purpose,
    range: { start, end } as DateRange,
  }
  const [draft, setDraft] = useState(applied)
  const [error, setError] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const [isSearching, setSearching] = useState(false)
  // The URL changed from outside (back button, link): resets the draft.
  const urlKey = JSON.stringify(query)
  const [previousKey, setPreviousKey] = useState(urlKey)
  if (urlKey !== previousKey) {
    setPreviousKey(urlKey)
    setDraft(applied)
  }
  const change = (changes: Partial<typeof applied>) => setDraft((current) => ({ ...current, ...changes }))
  const setPlate = (plate: string) => {
    change({ plate, lookup: undefined })
    setError(undefined)
  }
  const setRange = (range: DateRange) => {
    change({ range })
    if (range.start === null) return
    setMissing(false)
    clearErrors()
  }

  const apply = async () => {
    const { range, plate, who } = draft
    if (range.start === null || range.end === null) {
      setMissing(true)
      showError('required-parameter-missing')
      return
    }
    const isNew = draft.lookup === undefined && plate.trim() !== ''
    const searchId = isNew ? await searchPlate(plate.trim()) : draft.lookup
    onApply({
      ...whoIn(who),
      kind: draft.kind,
      purpose: draft.purpose,
      lookup: searchId,
      dateTimeStart: range.start,
      dateTimeEnd: range.end,
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSearching) return
    setSearching(true)
    apply()
      .catch((failure: unknown) => {
        const refused = fieldErrors(failure, ['plateLpr']).plateLpr
        if (refused) setError(refused)
        else showError(failure, { title: t('plate-failed') })
      })
      .finally(() => setSearching(false))
  }

  const optionsOf = (all: ReadonlyMap<number, string>, toValue: (id: number) => string | null) =>
    [...all].map(([id, label]) => ({ value: toValue(id) ?? '', label }))
  const who = [
    { group: t('persons'), items: optionsOf(names.users, (userId) => whoOf({ userId })) },
    { group: t('systems'), items: optionsOf(names.systems, (systemId) => whoOf({ systemId })) },
  ]
  const isKept = draft.lookup !== undefined && draft.plate === ''
  return (
    <form className={css.filters} onSubmit={submit} noValidate aria-label={t('core:nav-trail')}>
      <TextInput
        label={t('plate')}
        placeholder={isKept ? t('kept-plate') : t('any-plate')}
        autoComplete="off"
        maxLength={MAX_PLATE_LENGTH}
        value={draft.plate}
        error={error}
        onChange={({ currentTarget }) => setPlate(currentTarget.value)}
        rightSection={
          (draft.plate !== '' || isKept) && (
            <IconButton aria-label={t('clear-plate')} onClick={() => setPlate('')}>
              <CloseIcon />
            </IconButton>
          )
        }
      />
      <Select
        label={t('who')}
        placeholder={t('everyone')}
        data={who.filter(({ items }) => items.length > 0)}
        value={draft.who}
        onChange={(who) => change({ who })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('everyone') }}
        nothingFoundMessage={t('no-person')}
        limit={50}
        {...noTransition}
      />
      <Select
        label={t('kind')}
        placeholder={t('any-kind')}
        data={lookKinds.map((value) => ({ value, label: t(`kind-${value}`) }))}
        value={draft.kind ?? null}
        onChange={(value) => change({ kind: lookKinds.find((option) => option === value) })}
        clearable
        clearButtonProps={{ 'aria-label': t('any-kind') }}
        {...noTransition}
      />
      <Select
        label={t('purpose')}
        placeholder={t('any-purpose')}
        data={purposes.map((value) => ({ value, label: t(`purpose-${value}`) }))}
        value={draft.purpose ?? null}
        onChange={(value) => change({ purpose: purposes.find((option) => option === value) })}
        clearable
        clearButtonProps={{ 'aria-label': t('any-purpose') }}
        {...noTransition}
      />
      <div className={css.range}>
        <RangeFilter range={draft.range} onChange={setRange} isMissing={isMissing} now={serverNow} />
      </div>
      <Button type="submit" className={css.apply ?? ''} loading={isSearching} leftSection={<SearchIcon />}>
        {t('search')}
      </Button>
    </form>
  )
}
