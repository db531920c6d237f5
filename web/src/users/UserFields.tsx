import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Checkboxes, FieldColumn, FieldPair } from '../ui/Fields.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { PhoneField } from '../ui/PhoneField.tsx'
import { StoredValue, storedBelow } from '../ui/StoredValue.tsx'
import css from './Users.module.css'
import { useRoleChoices } from './useRoleChoices.ts'
import { becomesAdministrator, type UserValues } from './userValues.ts'
import type { UserForm } from './useUserForm.ts'

type Props = {
  userForm: UserForm
  adding: boolean
  /** Name of the provider that decides role and password; null: the portal. */
  provider: string | null
  ownRole: { id: number; name: string } | undefined
  stored: Partial<Record<keyof UserValues, string>>
}

/** Fields of account and personal data. */
export function UserFields({ userForm, adding, provider, ownRole, stored }: Props) {
  const { t } = useTranslation('users')
  const { form, textOfError } = userForm
  const text = (name: keyof UserValues, label: string, maxLength: number) => ({
    label,
    maxLength,
    ...form.getInputProps(name),
    error: textOfError(name),
    ...storedBelow(stored[name]),
  })
  const becomesAdmin = !adding && becomesAdministrator(form.values.role, ownRole ? String(ownRole.id) : null)
  const required = { required: true, withAsterisk: false }
  const checkbox = (name: 'enabled' | 'ticket', label: string) => (
    <Checkbox label={label} {...form.getInputProps(name, { type: 'checkbox' })} error={textOfError(name)} />
  )
  const password = (name: 'password' | 'repeatPassword', label: string) => (
    <PasswordField
      {...text(name, label, 200)}
      {...(adding || becomesAdmin ? required : { placeholder: '••••••••' })}
      autoComplete="new-password"
    />
  )
  return (
    <div className={css.fields}>
      <Panel>
        <Section title={t('account')}>
          <FieldColumn>
            <TextInput
              {...text('username', t('ui:username'), 60)}
              {...required}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus={adding}
            />
            <RoleField userForm={userForm} provider={provider} ownRole={ownRole} stored={stored.role} />
            {provider === null ? (
              <>
                <FieldPair>
                  {password('password', t('password'))}
                  {password('repeatPassword', t('repeat-password'))}
                </FieldPair>
                <p className={css.notManageable} role="status">
                  {t(
                    becomesAdmin ? 'administrator-password' : adding ? 'password-hint' : 'password-stays',
                    userForm.lengths,
                  )}
                </p>
              </>
            ) : (
              <p className={css.notManageable}>{t('from-provider', { provider })}</p>
            )}
            <Checkboxes>
              {checkbox('enabled', t('enabled-long'))}
              {checkbox('ticket', t('ticket'))}
            </Checkboxes>
          </FieldColumn>
        </Section>
      </Panel>
      <Panel>
        <Section title={t('person')}>
          <FieldColumn>
            <FieldPair>
              <TextInput {...text('firstName', t('ui:first-name'), 60)} {...required} autoComplete="off" />
              <TextInput {...text('lastName', t('ui:last-name'), 60)} {...required} autoComplete="off" />
            </FieldPair>
            <TextInput
              {...text('email', provider === null ? t('ui:email') : t('ui:optional', { name: t('ui:email') }), 120)}
              {...(provider === null && required)}
              type="email"
              autoComplete="off"
            />
            <PhoneField form={form} error={textOfError('number')} isOptional={provider !== null} />
            <StoredValue value={stored.number ?? stored.prefix} />
            {!adding && (
              <TextInput {...text('company', t('ui:optional', { name: t('company') }), 120)} autoComplete="off" />
            )}
            <TextInput
              {...text('organization', t('ui:optional', { name: t('organization') }), 120)}
              autoComplete="off"
            />
            <Textarea
              {...text('description', t('ui:optional', { name: t('ui:description') }), 200)}
              autosize
              minRows={2}
            />
          </FieldColumn>
        </Section>
      </Panel>
    </div>
  )
}

type RoleProps = Pick<Props, 'userForm' | 'provider' | 'ownRole'> & { stored: string | undefined }

function RoleField({ userForm, provider, ownRole, stored }: RoleProps) {
  const { t } = useTranslation('users')
  const { roles, error: failure } = useRoleChoices()
  const options = roles ?? []
  const all = ownRole && !options.some(({ id }) => id === ownRole.id) ? [ownRole, ...options] : options
  return (
    <>
      <Select
        label={t('role')}
        data={all.map(({ id, name }) => ({ value: String(id), label: name }))}
        placeholder={t('select-role')}
        allowDeselect={false}
        disabled={provider !== null}
        required
        withAsterisk={false}
        searchable={all.length > 8}
        nothingFoundMessage={t('no-role')}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        {...userForm.form.getInputProps('role')}
        error={userForm.textOfError('role')}
        {...storedBelow(stored)}
      />
      {failure && !roles ? <ErrorBanner error={failure} title={t('roles-failed')} /> : null}
    </>
  )
}
