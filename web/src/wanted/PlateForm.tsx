import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { addPlate, MAX_DESCRIPTION, MAX_PLATE, type TypeOfList } from '@rogatka/contract/wanted.ts'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors, hasMore } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import css from './Wanted.module.css'

type Props = {
  typeOfList: TypeOfList
  /** The users to whom the entry may be given; null: it is one's own. */
  owners: { value: string; label: string }[] | null
  owner: number | null
  onOwner: (id: number) => void
  onAdded: () => void
}

const FIELDS = ['plateLpr', 'description', 'expiresAt', 'userId']
const EMPTY = { plate: '', description: '', expiresAt: null as string | null, allowMisread: false }

/** Puts a plate on the list. */
export function PlateForm({ typeOfList, owners, owner, onOwner, onAdded }: Props) {
  const { t } = useTranslation('wanted')
  const [values, setValues] = useState(EMPTY)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [saving, setSaving] = useState(false)
  const banner = useBanner()
  const first = useRef<HTMLInputElement>(null)
  const change = (part: Partial<typeof EMPTY>) => {
    setValues((now) => ({ ...now, ...part }))
    setFaults({})
  }
  const { plate, description, expiresAt, allowMisread } = values
  const filled = plate.trim() !== '' && description.trim() !== ''

  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (!filled || saving) return
    setSaving(true)
    banner.clear()
    try {
      const body = { plateLpr: plate, typeOfList, description, userId: owner, expiresAt, allowMisread }
      await call(addPlate, { body })
      setValues({ ...EMPTY, allowMisread })
      first.current?.focus()
      onAdded()
    } catch (error) {
      setFaults(fieldErrors(error, FIELDS))
      if (hasMore(error, FIELDS)) banner.show(error)
    } finally {
      setSaving(false)
    }
  }

  return (
    <Panel>
      <Section title={t('new-plate')}>
        <form className={css.form} noValidate onSubmit={(event) => void add(event)}>
          {banner.shown && <ErrorBanner error={banner.shown.error} title={t('add-failed')} dismiss={banner.clear} />}
          <div className={css.pair}>
            <TextInput
              ref={first}
              label={t('plate')}
              maxLength={MAX_PLATE}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              value={plate}
              onChange={(event) => change({ plate: event.currentTarget.value })}
              error={faults.plateLpr}
            />
            <TextInput
              label={t('description')}
              maxLength={MAX_DESCRIPTION}
              autoComplete="off"
              rightSection={<span className={css.counter}>{MAX_DESCRIPTION - description.length}</span>}
              rightSectionWidth={44}
              rightSectionPointerEvents="none"
              value={description}
              onChange={(event) => change({ description: event.currentTarget.value })}
              error={faults.description}
            />
            <DateTimeField
              label={t('expires-optional')}
              value={expiresAt}
              onChange={(instant) => change({ expiresAt: instant })}
              clearLabel={t('no-expiry')}
              error={faults.expiresAt}
            />
            {owners && (
              <Select
                label={t('owner')}
                data={owners}
                searchable
                allowDeselect={false}
                nothingFoundMessage={t('no-user')}
                comboboxProps={{ transitionProps: { duration: 0 } }}
                value={owner === null ? null : String(owner)}
                onChange={(id) => id !== null && onOwner(Number(id))}
                error={faults.userId}
              />
            )}
          </div>
          <div className={css.boxes}>
            <Checkbox
              label={t('misread')}
              checked={allowMisread}
              onChange={(event) => change({ allowMisread: event.currentTarget.checked })}
            />
          </div>
          <div className={css.buttons}>
            <Button type="submit" disabled={!filled} loading={saving}>
              {t('add')}
            </Button>
            {!filled && <span className={css.reason}>{t('plate-missing')}</span>}
          </div>
        </form>
      </Section>
    </Panel>
  )
}
