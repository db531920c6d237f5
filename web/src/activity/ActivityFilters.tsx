import { Button, Select } from '@mantine/core'
import { eventTypes } from '@rogatka/contract/options.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { clearErrors, showError } from '../core/errors.ts'
import type { DateRange } from '../ui/dateRange.ts'
import { RangeFilter } from '../ui/RangeFilter.tsx'
import { useAllUsers } from '../users/publicApi.ts'
import css from './Activity.module.css'
import type { ActivityQuery } from './useActivity.ts'
import { useEventName } from './useEventName.ts'

type Props = {
  query: ActivityQuery
  /** Show the event filter. */
  withEvents: boolean
  onApply: (query: ActivityQuery) => void
}

const rangeOf = ({ dateTimeStart, dateTimeEnd }: ActivityQuery): DateRange => ({
  start: dateTimeStart,
  end: dateTimeEnd,
})

/** Filters by user, event and time; take effect with the apply button. */
export function ActivityFilters({ query, withEvents, onApply }: Props) {
  const { t } = useTranslation('activity')
  const eventName = useEventName()
  const { data: users } = useAllUsers()
  const applied = { userId: query.userId, eventType: query.eventType, range: rangeOf(query) }
  const [draft, setDraft] = useState(applied)
  const [missing, setMissing] = useState(false)
  // The URL changed from outside (back button, link): resets the draft.
  const urlKey = JSON.stringify(applied)
  const [previousKey, setPreviousKey] = useState(urlKey)
  if (urlKey !== previousKey) {
    setPreviousKey(urlKey)
    setDraft(applied)
  }
  const { userId, eventType, range } = draft
  const applyDraft = (changes: Partial<typeof applied>) => setDraft({ ...draft, ...changes })

  const setRange = (next: DateRange) => {
    applyDraft({ range: next })
    if (next.start === null) return
    setMissing(false)
    clearErrors()
  }
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const { start, end } = range
    if (start === null || end === null) {
      setMissing(true)
      showError('required-parameter-missing')
      return
    }
    onApply({ userId, eventType, dateTimeStart: start, dateTimeEnd: end })
  }
  const userOptions = users?.content.map(({ id, username }) => ({ value: String(id), label: username })) ?? []
  return (
    <div className={css.panel}>
      <form className={withEvents ? css.filters : `${css.filters} ${css.fewer}`} onSubmit={apply} noValidate>
        <Select
          label={t('user')}
          placeholder={t('all-users')}
          data={userOptions}
          value={userId === undefined ? null : String(userId)}
          onChange={(id) => applyDraft({ userId: id === null ? undefined : Number(id) })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('all-users') }}
          nothingFoundMessage={t('no-user')}
          limit={50}
          comboboxProps={{ transitionProps: { duration: 0 } }}
        />
        {withEvents && (
          <Select
            label={t('event')}
            placeholder={t('all-events')}
            data={eventTypes.map((type) => ({ value: String(type), label: eventName(type) }))}
            value={eventType === undefined ? null : String(eventType)}
            onChange={(type) => applyDraft({ eventType: eventTypes.find((option) => String(option) === type) })}
            clearable
            clearButtonProps={{ 'aria-label': t('all-events') }}
            comboboxProps={{ transitionProps: { duration: 0 } }}
          />
        )}
        <div className={css.range}>
          <RangeFilter range={range} onChange={setRange} isMissing={missing} now={serverNow} />
        </div>
        <Button type="submit" className={css.apply ?? ''}>
          {t('apply')}
        </Button>
      </form>
    </div>
  )
}
