import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import 'dayjs/locale/lt'
import 'dayjs/locale/pl'
import 'dayjs/locale/ro'
import { Popover, TextInput } from '@mantine/core'
import { DatesProvider, InlineDateTimePicker } from '@mantine/dates'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import css from './DateTimeField.module.css'
import { instantAt, toWallClock } from './dateRange.ts'
import { IconButton } from './IconButton.tsx'
import { CalendarIcon, CloseIcon } from './icons.tsx'
import { type DayTime, parseTyped } from './typedDate.ts'

type Props = {
  label: string
  /** An instant, ISO 8601 in UTC. */
  value: string | null
  onChange: (instant: string | null) => void
  required?: boolean
  disabled?: boolean
  /** What its button that empties it is called; absent: it cannot be emptied. */
  clearLabel?: string | undefined
  error?: ReactNode
  /** What a date that is typed without a time means. */
  dayTime?: DayTime
}

/** A time by the clock of Warsaw, typed as `20.10.2025 08:15` or picked from a calendar. */
export function DateTimeField({
  label,
  value,
  onChange,
  required = false,
  disabled = false,
  clearLabel,
  error,
  dayTime = 'start',
}: Props) {
  const { t } = useTranslation('ui')
  const [isOpen, setOpen] = useState(false)
  const [picked, setPicked] = useState<string | null>(null)
  const shown = value === null ? '' : textOf(value)
  const typed = useTyped({ shown, isClearable: clearLabel !== undefined, dayTime, onChange })
  const open = () => {
    if (typed.commit()) setOpen(true)
  }
  // What is picked counts once the calendar is closed: half a time would be another one.
  const close = () => {
    setOpen(false)
    setPicked(null)
    if (picked !== null) onChange(instantAt(picked))
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && event.altKey) open()
    // The calendar takes the focus a moment after it opened.
    else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      close()
    } else typed.press(event)
  }
  const clear = clearLabel !== undefined && value !== null && !disabled
  return (
    <Popover
      opened={isOpen}
      onChange={(isShown) => !isShown && close()}
      position="bottom-start"
      trapFocus
      returnFocus
      withRoles={false}
      withinPortal={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <div>
          <TextInput
            ref={typed.input}
            label={label}
            placeholder={t('date-format')}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            required={required}
            withAsterisk={false}
            disabled={disabled}
            error={typed.isUnreadable ? t('date-unreadable') : error}
            errorProps={typed.isUnreadable ? { role: 'alert' } : {}}
            value={typed.text}
            onChange={(event) => typed.type(event.currentTarget.value)}
            onBlur={() => typed.commit()}
            onKeyDown={press}
            rightSectionWidth={clear ? 60 : 32}
            rightSection={
              <div className={css.tools}>
                {clear && (
                  <IconButton aria-label={clearLabel} onClick={() => onChange(null)}>
                    <CloseIcon size={14} />
                  </IconButton>
                )}
                <IconButton
                  aria-label={t('open-calendar', { label })}
                  aria-haspopup="dialog"
                  aria-expanded={isOpen}
                  disabled={disabled}
                  onClick={() => (isOpen ? close() : open())}
                >
                  <CalendarIcon />
                </IconButton>
              </div>
            }
          />
        </div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        <Calendar wall={picked ?? (value && toWallClock(value))} pick={setPicked} close={close} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** `wall`: what the clock of Warsaw shows at the chosen time. */
type CalendarProps = { wall: string | null; pick: (wall: string | null) => void; close: () => void }

function Calendar({ wall, pick, close }: CalendarProps) {
  const { t, i18n } = useTranslation('ui')
  return (
    // Red is for violations: not for weekends.
    <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: 1, weekendDays: [] }}>
      <InlineDateTimePicker
        fullWidth={false}
        value={wall}
        onChange={pick}
        onSubmit={close}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement) close()
        }}
        hideOutsideDates
        ariaLabels={{
          previousMonth: t('previous-month'),
          nextMonth: t('next-month'),
          previousYear: t('previous-year'),
          nextYear: t('next-year'),
          previousDecade: t('previous-years'),
          nextDecade: t('next-years'),
        }}
        timePickerProps={{ hoursInputLabel: t('hour'), minutesInputLabel: t('minute') }}
        submitButtonProps={{ 'aria-label': t('take-date'), size: 'var(--h-control)' }}
      />
    </DatesProvider>
  )
}

/** `20.10.2025 08:15`, in every language. */
function textOf(instant: string): string {
  const [date = '', time = ''] = toWallClock(instant).split(' ')
  return `${date.split('-').reverse().join('.')} ${time.slice(0, 5)}`
}

type TypedOptions = {
  /** The value as text. */
  shown: string
  isClearable: boolean
  dayTime: DayTime
  onChange: (instant: string | null) => void
}

/** The text of the field while it is typed: it counts when the field is left, or with Enter. */
function useTyped({ shown, isClearable, dayTime, onChange }: TypedOptions) {
  const input = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState<string | null>(null)
  const [known, setKnown] = useState(shown)
  const [isUnreadable, setUnreadable] = useState(false)
  const drop = () => {
    setDraft(null)
    setUnreadable(false)
  }
  // Another value came: by the calendar, by the other end of a range, by the way back.
  if (shown !== known) {
    setKnown(shown)
    drop()
  }
  /** Whether the field holds a time, or may be empty, afterwards. */
  const commit = (): boolean => {
    if (draft === null) return true
    const text = draft.trim()
    const instant = text === '' || text === shown ? null : parseTyped(text, dayTime)
    if (text !== '' && text !== shown && instant === null) {
      setUnreadable(true)
      return false
    }
    drop()
    if (instant !== null && textOf(instant) !== shown) onChange(instant)
    if (text === '' && shown !== '' && isClearable) onChange(null)
    return true
  }
  useSubmitGuard(input, isUnreadable)
  return {
    input,
    text: draft ?? shown,
    isUnreadable,
    type: (text: string) => {
      setDraft(text)
      setUnreadable(false)
    },
    commit,
    press: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && !commit()) event.preventDefault()
      if (event.key === 'Escape' && draft !== null) {
        event.stopPropagation()
        drop()
      }
    },
  }
}

/** A form is not sent with the value from before while the field holds what cannot be read. */
function useSubmitGuard(input: { current: HTMLInputElement | null }, isUnreadable: boolean): void {
  useEffect(() => {
    const form = input.current?.form
    if (!isUnreadable || !form) return
    const refuse = (event: Event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      input.current?.focus()
    }
    form.addEventListener('submit', refuse, true)
    return () => form.removeEventListener('submit', refuse, true)
  }, [input, isUnreadable])
}
