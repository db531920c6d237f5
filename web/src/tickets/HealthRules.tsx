import { Button, NumberInput, Switch } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './HealthRules.module.css'
import { useHealthSettings } from './useHealth.ts'
import { useHealthRules } from './useHealthRules.ts'

/** Names of what is checked, and the limits. */
export function HealthRules() {
  const { t } = useTranslation('tickets')
  const rules = useHealthRules()
  return (
    <section className={css.rules} aria-label={t('what-is-checked')}>
      <h2>{t('what-is-checked')}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('kind')}</th>
            <th scope="col">{t('measured')}</th>
            <th scope="col">
              <StatusMark status="attention" label={t('level-attention')} />
            </th>
            <th scope="col">
              <StatusMark status="malfunction" label={t('state-bad')} />
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ kind, subject, attention, failure }) => (
            <tr key={kind}>
              <th scope="row">{t(`kind-${kind}`)}</th>
              <td>{subject}</td>
              <td>{attention ?? '–'}</td>
              <td>{failure}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Switches for opening and closing tickets automatically, and the availability under the contract. */
export function HealthSettings() {
  const { t } = useTranslation('tickets')
  const { settings, change, pending } = useHealthSettings()
  if (!settings) return null
  const settingSwitch = (name: 'autoOpen' | 'autoClose') => (
    <Switch
      label={t(name === 'autoOpen' ? 'auto-open' : 'auto-close')}
      checked={settings[name]}
      disabled={pending}
      onChange={(event) => change({ ...settings, [name]: event.currentTarget.checked })}
    />
  )
  return (
    <section className={css.settings} aria-label={t('health-settings')}>
      {settingSwitch('autoOpen')}
      {settingSwitch('autoClose')}
      <Contract
        key={settings.contractPercent ?? 'none'}
        percent={settings.contractPercent ?? null}
        isPending={pending}
        onSave={(contractPercent) => change({ ...settings, contractPercent })}
      />
    </section>
  )
}

type ContractProps = { percent: number | null; isPending: boolean; onSave: (percent: number | null) => void }

function Contract({ percent, isPending, onSave }: ContractProps) {
  const { t } = useTranslation('tickets')
  const { decimal } = useFormat()
  const [value, setValue] = useState<number | string>(percent ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave(value === '' ? null : Number(value))
  }
  return (
    <form className={css.contract} onSubmit={submit} noValidate>
      <NumberInput
        label={t('contract-percent')}
        value={value}
        onChange={setValue}
        min={0.1}
        max={100}
        step={0.1}
        decimalScale={1}
        decimalSeparator={decimal}
        hideControls
        clampBehavior="strict"
      />
      <Button type="submit" variant="default" disabled={isPending || value === (percent ?? '')}>
        {t('ui:save')}
      </Button>
    </form>
  )
}
