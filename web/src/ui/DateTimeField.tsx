import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import 'dayjs/locale/lt'
import 'dayjs/locale/pl'
import 'dayjs/locale/ro'
import { Popover, TextInput } from '@mantine/core'
import { DatePicker, DatesProvider, InlineDateTimePicker } from '@mantine/dates'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import css from './DateTimeField.module.css'
import { type DayTime, parseDateInput } from './dateInput.ts'
import { instantAt, toWallClock } from './dateRange.ts'
import { IconButton } from './IconButton.tsx'
import { CalendarIcon, CloseIcon } from './icons.tsx'

type Props = {
  label: string
  /** An instant, ISO 8601 in UTC. */
  value: string | null
  onChange: (instant: string | null) => void
  required?: boolean
  disabled?: boolean
  /** Label of the clear button; absent: cannot be cleared. */
  clearLabel?: string | undefined
  error?: ReactNode
  /** Time of day for a date typed without a time. */
  dayTime?: DayTime
  /** Only the day is shown and picked. */
  dayOnly?: boolean
}

/** Date and time in Polish time, typed as `20.10.2025 08:15` or picked from a calendar. */
export function DateTimeField({
  label,
  value,
  onChange,
  required = false,
  disabled = false,
  clearLabel,
  error,
  dayTime = 'start',
  dayOnly = false,
}: Props) {
  const { t } = useTranslation('ui')
  const [isOpen, setOpen] = useState(false)
  const [picked, setPicked] = useState<string | null>(null)
  const valueText = value === null ? '' : textOf(value, dayOnly)
  const textDraft = useTextDraft({ valueText, isClearable: clearLabel !== undefined, dayTime, dayOnly, onChange })
  const open = () => {
    if (textDraft.commit()) setOpen(true)
  }
  // A picked value is committed when the calendar closes, because until then date and time may not belong together.
  const close = () => {
    setOpen(false)
    setPicked(null)
    if (picked !== null) onChange(instantAt(picked))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && event.altKey) open()
    // The focus enters the calendar only after a delay, so Escape is handled here too.
    else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      close()
    } else textDraft.press(event)
  }
  const canClear = clearLabel !== undefined && value !== null && !disabled
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
            ref={textDraft.input}
            label={label}
            placeholder={t(dayOnly ? 'day-format' : 'date-format')}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            required={required}
            withAsterisk={false}
            disabled={disabled}
            error={textDraft.isUnreadable ? t(dayOnly ? 'day-unreadable' : 'date-unreadable') : error}
            errorProps={textDraft.isUnreadable ? { role: 'alert' } : {}}
            value={textDraft.text}
            onChange={(event) => textDraft.type(event.currentTarget.value)}
            onBlur={() => textDraft.commit()}
            onKeyDown={onKeyDown}
            rightSectionWidth={canClear ? 60 : 32}
            rightSection={
              <div className={css.tools}>
                {canClear && (
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
        {dayOnly ? (
          <DayCalendar
            day={value && toWallClock(value).slice(0, 10)}
            pick={(day) => {
              setOpen(false)
              onChange(instantAt(`${day} 00:00:00`))
            }}
          />
        ) : (
          <Calendar wall={picked ?? (value && toWallClock(value))} pick={setPicked} close={close} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** `wall`: Polish wall-clock time. */
type CalendarProps = { wall: string | null; pick: (wall: string | null) => void; close: () => void }

function Calendar({ wall, pick, close }: CalendarProps) {
  const { t } = useTranslation('ui')
  return (
    <Localised>
      <InlineDateTimePicker
        fullWidth={false}
        value={wall}
        onChange={pick}
        onSubmit={close}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement) close()
        }}
        hideOutsideDates
        ariaLabels={useCalendarLabels()}
        timePickerProps={{ hoursInputLabel: t('hour'), minutesInputLabel: t('minute') }}
        submitButtonProps={{ 'aria-label': t('take-date'), size: 'var(--h-control)' }}
      />
    </Localised>
  )
}

/** A click on a day selects it and closes the calendar; also a click on the selected day. */
const DayCalendar = ({ day, pick }: { day: string | null; pick: (day: string) => void }) => (
  <Localised>
    <DatePicker
      value={day}
      {...(day && { defaultDate: day })}
      onChange={(picked) => pick(picked ?? day ?? '')}
      allowDeselect
      hideOutsideDates
      ariaLabels={useCalendarLabels()}
    />
  </Localised>
)

function Localised({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation('ui')
  return (
    // No red weekends: red is reserved for violations.
    <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: 1, weekendDays: [] }}>{children}</DatesProvider>
  )
}

function useCalendarLabels() {
  const { t } = useTranslation('ui')
  return {
    previousMonth: t('previous-month'),
    nextMonth: t('next-month'),
    previousYear: t('previous-year'),
    nextYear: t('next-year'),
    previousDecade: t('previous-years'),
    nextDecade: t('next-years'),
  }
}

/** `20.10.2025 08:15`, in every language; of a day without the time. */
function textOf(instant: string, dayOnly: boolean): string {
  const [date = '', time = ''] = toWallClock(instant).split(' ')
  const day = date.split('-').reverse().join('.')
  return dayOnly ? day : `${day} ${time.slice(0, 5)}`
}

type TextDraftOptions = {
  /** The value as text. */
  valueText: string
  isClearable: boolean
  dayTime: DayTime
  dayOnly: boolean
  onChange: (instant: string | null) => void
}

/** Draft text of the field; committed on blur and on Enter. */
function useTextDraft({ valueText, isClearable, dayTime, dayOnly, onChange }: TextDraftOptions) {
  const input = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState<string | null>(null)
  const [previousText, setPreviousText] = useState(valueText)
  const [isUnreadable, setUnreadable] = useState(false)
  const discardDraft = () => {
    setDraft(null)
    setUnreadable(false)
  }
  // The value changed from outside: calendar, other end of the range, back button.
  if (valueText !== previousText) {
    setPreviousText(valueText)
    discardDraft()
  }
  /** Returns whether the field holds a valid time or may be empty. */
  const commit = (): boolean => {
    if (draft === null) return true
    const text = draft.trim()
    const instant = text === '' || text === valueText ? null : parseDateInput(text, dayTime)
    if (text !== '' && text !== valueText && instant === null) {
      setUnreadable(true)
      return false
    }
    discardDraft()
    if (instant !== null && textOf(instant, dayOnly) !== valueText) onChange(instant)
    if (text === '' && valueText !== '' && isClearable) onChange(null)
    return true
  }
  useSubmitGuard(input, isUnreadable)
  return {
    input,
    text: draft ?? valueText,
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
        discardDraft()
      }
    },
  }
}

/** Prevents submitting the previous value while the text cannot be parsed. */
function useSubmitGuard(input: { current: HTMLInputElement | null }, isUnreadable: boolean): void {
  useEffect(() => {
    const form = input.current?.form
    if (!isUnreadable || !form) return
    const preventSubmit = (event: Event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      input.current?.focus()
    }
    form.addEventListener('submit', preventSubmit, true)
    return () => form.removeEventListener('submit', preventSubmit, true)
  }, [input, isUnreadable])
}
