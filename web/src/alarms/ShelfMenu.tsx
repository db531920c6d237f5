import { Button, Popover, TextInput } from '@mantine/core'
import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatClock } from '../core/format.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { ClockIcon } from '../ui/icons.tsx'
import css from './Alarms.module.css'

const MAX_REASON = 200

type Props = {
  title: string
  maxMinutes: NonNullable<WireAlarm['maxShelfMinutes']>
  shiftEndsAt: string
  open: boolean
  onOpen: (open: boolean) => void
  onShelve: (until: Date, reason: string) => Promise<boolean>
  /** A button with a text instead of an icon. */
  isLabelled?: boolean
}

/** Shelves an alarm for a while, with a reason. */
export function ShelfMenu({ title, maxMinutes, shiftEndsAt, open, onOpen, onShelve, isLabelled = false }: Props) {
  const { t } = useTranslation('alarms')
  // After shelving the focus goes to the next alarm.
  const [isShelved, setShelved] = useState(false)
  const toggle = {
    'aria-label': t('shelve-alarm', { title }),
    'aria-haspopup': 'dialog' as const,
    onClick: () => {
      setShelved(false)
      onOpen(!open)
    },
  }
  return (
    <Popover opened={open} onChange={onOpen} position="bottom-end" trapFocus returnFocus={!isShelved} withinPortal>
      <Popover.Target>
        {isLabelled ? (
          <Button variant="default" leftSection={<ClockIcon />} {...toggle}>
            {t('shelve')}
          </Button>
        ) : (
          <IconButton className={css.shelve} data-action="shelve" title={`${t('shelve')} (O)`} {...toggle}>
            <ClockIcon />
          </IconButton>
        )}
      </Popover.Target>
      <Popover.Dropdown className={css.menu ?? ''} role="dialog" aria-label={t('shelve-alarm', { title })}>
        <ShelfForm
          maxMinutes={maxMinutes}
          shiftEndsAt={shiftEndsAt}
          onShelve={async (until, reason) => {
            setShelved(true)
            const hasSucceeded = await onShelve(until, reason)
            setShelved(hasSucceeded)
            if (hasSucceeded) onOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

type FormProps = Pick<Props, 'maxMinutes' | 'shiftEndsAt'> & {
  onShelve: (until: Date, reason: string) => Promise<void>
}

function ShelfForm({ maxMinutes, shiftEndsAt, onShelve }: FormProps) {
  const { t } = useTranslation('alarms')
  const name = useId()
  const [now] = useState(serverNow)
  const all = [
    { key: 'half-hour', until: now + 30 * MINUTE_MS },
    { key: 'two-hours', until: now + 120 * MINUTE_MS },
    { key: 'shift-end', until: Date.parse(shiftEndsAt) },
  ]
  const options = all.filter(({ until }) => until > now && until - now <= maxMinutes * MINUTE_MS)
  const [chosen, setChosen] = useState(options[0]?.key)
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const option = options.find(({ key }) => key === chosen)
    if (reason.trim() === '') setError(t('reason-missing'))
    else if (option) await onShelve(new Date(option.until), reason.trim())
  }
  return (
    <form className={css.shelf} onSubmit={(event) => void submit(event)} noValidate>
      <fieldset>
        <legend>{t('shelve-until')}</legend>
        {options.map(({ key, until }) => (
          <label key={key}>
            <input type="radio" name={name} checked={key === chosen} onChange={() => setChosen(key)} />
            {t(`shelf-${key}`)}
            <span>{formatClock(until)}</span>
          </label>
        ))}
      </fieldset>
      <TextInput
        label={t('reason')}
        value={reason}
        error={error}
        maxLength={MAX_REASON}
        required
        onChange={({ currentTarget }) => {
          setReason(currentTarget.value)
          setError(null)
        }}
      />
      <Button type="submit">{t('shelve')}</Button>
    </form>
  )
}
