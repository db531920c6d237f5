import { Button, Menu } from '@mantine/core'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { useCallback, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useTicking } from '../core/clock.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { CheckIcon, DownIcon, SignIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './SignButton.module.css'
import type { SignContent } from './usePlateOnSign.ts'
import { useSignState } from './useSignState.ts'

const CONTENTS: SignContent[] = ['plate', 'trucks']

/** Shows the vehicle on the sign (W), or all lorries (Shift+W switches), and clears the sign again. */
export function SignButton({ vehicle }: { vehicle: WireVehicle }) {
  const { t } = useTranslation('vehicle')
  const noteId = useId()
  const sign = useSignState(vehicle)
  const { label, reason, canAct, canSelectContent, isDisplayed, content, hasPlate } = sign
  const other = content === 'plate' ? 'trucks' : 'plate'
  const canChangeContent = canSelectContent && (other === 'trucks' || hasPlate)
  useShortcuts([
    ...(canAct ? [{ key: 'w', label, run: sign.run }] : []),
    ...(canChangeContent
      ? [{ key: 'Shift+W', label: t('sign-other-content'), run: () => sign.selectContent(other) }]
      : []),
  ])
  const buttonStyle = isDisplayed
    ? ({ variant: 'outline', color: 'red' } as const)
    : canAct || sign.command.isPending
      ? ({ variant: 'filled' } as const)
      : ({ variant: 'default' } as const)
  return (
    <section className={css.sign} aria-label={t('sign')}>
      <Button.Group>
        <Button
          {...buttonStyle}
          className={css.main ?? ''}
          disabled={!canAct && !sign.command.isPending}
          loading={sign.command.isPending}
          leftSection={<SignIcon />}
          rightSection={<Kbd>W</Kbd>}
          aria-describedby={noteId}
          onClick={sign.run}
        >
          {label}
        </Button>
        {!isDisplayed && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                {...buttonStyle}
                className={css.more ?? ''}
                px={8}
                disabled={!canSelectContent}
                aria-label={t('sign-choose-content')}
              >
                <DownIcon />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.RadioGroup value={content} onChange={(selected) => sign.selectContent(selected as SignContent)}>
                {CONTENTS.map((option) => (
                  <Menu.RadioItem
                    key={option}
                    value={option}
                    closeMenuOnClick
                    disabled={option === 'plate' && !hasPlate}
                    checkIcon={<CheckIcon />}
                    rightSection={option !== content && canChangeContent && <Kbd>Shift W</Kbd>}
                  >
                    {t(option === 'plate' ? 'sign-plate' : 'sign-trucks')}
                    {option === 'plate' && !hasPlate && ` (${t('unreadable-plate')})`}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Dropdown>
          </Menu>
        )}
      </Button.Group>
      <p className={css.note} id={noteId}>
        {sign.state === 'sign-unavailable' && <StatusMark status="unavailable" />}
        {sign.state === 'ready' && <StatusMark status="available" />}
        {isDisplayed && <StatusMark status="enabled" />}
        <span>
          <span role="status">
            {reason ?? t(isDisplayed ? 'sign-displayed' : 'sign-time')}
            {sign.command.isPending && ` · ${t('sign-sending')}`}
          </span>{' '}
          {isDisplayed && sign.setAt && <Seconds at={sign.setAt} secondsOf={secondsSince} />}
          {isDisplayed && sign.arrivesAt && ` · ${t('sign-time')} `}
          {sign.arrivesAt && <Seconds at={sign.arrivesAt} secondsOf={secondsUntil} />}
        </span>
      </p>
    </section>
  )
}

/** Seconds until or since an instant. */
function Seconds({ at, secondsOf }: { at: string; secondsOf: (at: number, now: number) => number }) {
  const text = useCallback(
    (now: number) => formatCountdown(Math.max(0, secondsOf(Date.parse(at), now))),
    [at, secondsOf],
  )
  return <b className={css.time} ref={useTicking(text)} />
}

const secondsUntil = (at: number, now: number) => Math.ceil((at - now) / 1_000)
const secondsSince = (at: number, now: number) => Math.floor((now - at) / 1_000)
