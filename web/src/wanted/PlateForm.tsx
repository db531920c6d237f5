import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { addPlate, MAX_DESCRIPTION, MAX_PLATE, type TypeOfList } from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { useEntryForm } from './useEntryForm.ts'
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
  const { values, change, faults, filled, saving, banner, first, onSubmit } = useEntryForm({
    empty: EMPTY,
    fields: FIELDS,
    isFilled: ({ plate, description }) => plate.trim() !== '' && description.trim() !== '',
    send: ({ plate, ...entry }) => call(addPlate, { body: { ...entry, plateLpr: plate, typeOfList, userId: owner } }),
    keep: ({ allowMisread }) => ({ allowMisread }),
    onAdded,
  })
  const { plate, description, expiresAt, allowMisread } = values

  return (
    <Panel>
      <Section title={t('new-plate')}>
        <form className={css.form} noValidate onSubmit={onSubmit}>
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
