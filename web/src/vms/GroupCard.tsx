import { Button } from '@mantine/core'
import type { Content, WireSignGroup } from '@rogatka/contract/vms.ts'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { DownIcon, RightIcon } from '../ui/icons.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { ConfirmCommand } from './ConfirmCommand.tsx'
import { Outcome } from './Outcome.tsx'
import { SignTable } from './SignTable.tsx'
import { enabledCount, isDeviating, selectedVariantOf, signsWithoutContent } from './signs.ts'
import { useGroupCommand } from './useGroupCommand.ts'
import { VariantSelect } from './VariantSelect.tsx'
import css from './Vms.module.css'

type Props = {
  group: WireSignGroup
  contents: readonly Content[] | undefined
  /** Show the station's name: groups of several stations are listed. */
  withStation: boolean
  open: boolean
  onToggle: () => void
}

/** Group of signs: variant, commands for all signs, table. */
export function GroupCard({ group, contents, withStation, open, onToggle }: Props) {
  const { t } = useTranslation('vms')
  const tableId = useId()
  const reasonId = useId()
  // Selected variant, kept apart from polled data, so that responses do not reset it.
  const [choice, setChoice] = useState<number | null>(null)
  const [requestedCommand, setRequestedCommand] = useState<'disable' | { variant: number } | null>(null)
  const command = useGroupCommand(group)

  const { vms: signs, manageable } = group
  const variant = selectedVariantOf(group, choice)
  const reasonOf = useReason(group)
  const cannotEnable = reasonOf(variant)
  // Disabling is also impossible if the signs lack content in the group's own variant.
  const cannotDisable = manageable ? null : reasonOf(group.selectedVariant)
  const reason = cannotEnable ?? cannotDisable
  const deviatingCount = signs.filter(isDeviating).length
  const enabling = command.variables?.variant !== null
  const confirm = () => {
    const requestedVariant = requestedCommand === 'disable' ? null : (requestedCommand?.variant ?? null)
    setRequestedCommand(null)
    command.mutate({ variant: requestedVariant })
  }
  const {
    description,
    location: { shortName: station },
  } = group.group
  return (
    <section className={css.group} aria-label={group.group.description}>
      {command.error && (
        <ErrorBanner
          error={command.error}
          title={t(enabling ? 'enable-failed' : 'disable-failed')}
          dismiss={command.reset}
        />
      )}
      {command.data && <Outcome results={command.data.results} enabling={enabling} dismiss={command.reset} />}
      <header className={css.head}>
        <h2>
          <button type="button" className={css.fold} aria-expanded={open} aria-controls={tableId} onClick={onToggle}>
            {open ? <DownIcon /> : <RightIcon />}
            {group.group.description}
          </button>
        </h2>
        <span className={css.counts}>
          {withStation && !description.includes(station) && `${station} · `}
          {t('signs', { count: signs.length })}
          {signs.length > 0 && `, ${t('enabled-count', { count: enabledCount(signs) })}`}
        </span>
        {deviatingCount > 0 && (
          <span className={css.attention}>
            <StatusMark status="attention" />
            {t('deviating-signs', { count: deviatingCount })}
          </span>
        )}
        {signs.length > 0 && (
          <div className={css.commands}>
            <VariantSelect group={group} contents={contents} variant={variant} onSelect={setChoice} />
            <Button
              // Highlights only groups whose variant would change.
              variant={variant === group.selectedVariant ? 'default' : 'filled'}
              disabled={cannotEnable !== null || command.isPending}
              loading={command.isPending && enabling}
              aria-describedby={cannotEnable ? reasonId : undefined}
              onClick={() => variant !== null && setRequestedCommand({ variant })}
            >
              {t('enable-all')}
            </Button>
            <Button
              variant="default"
              disabled={!manageable || command.isPending}
              loading={command.isPending && !enabling}
              aria-describedby={reason ? reasonId : undefined}
              onClick={() => setRequestedCommand('disable')}
            >
              {t('disable-all')}
            </Button>
          </div>
        )}
        {reason && signs.length > 0 && (
          <p className={css.reason} id={reasonId}>
            {reason}
          </p>
        )}
      </header>
      <div id={tableId} hidden={!open}>
        {open &&
          (signs.length > 0 ? (
            <SignTable group={group} contents={contents} />
          ) : (
            <p className={css.none}>{t('no-signs')}</p>
          ))}
      </div>
      <ConfirmCommand
        group={group}
        contents={contents}
        command={requestedCommand}
        onClose={() => setRequestedCommand(null)}
        onConfirm={confirm}
      />
    </section>
  )
}

/** Why the group cannot be commanded in a variant; null: possible. */
function useReason({ variants, vms }: WireSignGroup): (variant: number | null) => string | null {
  const { t } = useTranslation('vms')
  return (variant) => {
    if (variant === null) return t('no-variants')
    if (variants.find((other) => other.variant === variant)?.complete) return null
    const numbers = signsWithoutContent(vms, variant)
    return numbers.length > 0 ? t('incomplete-signs', { signs: numbers.join(', ') }) : t('incomplete-group')
  }
}
