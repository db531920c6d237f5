import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { PhoneField } from '../ui/PhoneField.tsx'
import { StoredValue } from '../ui/StoredValue.tsx'
import css from './Users.module.css'
import { useRoleChoices } from './useRoleChoices.ts'
import { becomesAdministrator, type UserValues } from './userValues.ts'
import type { UserForm } from './useUserForm.ts'

type Props = {
  userForm: UserForm
  adding: boolean
  ownRole: { id: number; name: string } | undefined
  stored: Partial<Record<keyof UserValues, string>>
}

/** Account and person. */
export function UserFields({ userForm, adding, ownRole, stored }: Props) {
  const { t } = useTranslation('users')
  const { form, fault } = userForm
  const text = (name: keyof UserValues, label: string, maxLength: number) => ({
    label,
    maxLength,
    ...form.getInputProps(name),
    error: fault(name),
    description: <StoredValue value={stored[name]} />,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
  })
  const rises = !adding && becomesAdministrator(form.values.role, ownRole ? String(ownRole.id) : null)
  const required = { required: true, withAsterisk: false }
  const box = (name: 'enabled' | 'ticket', label: string) => (
    <Checkbox label={label} {...form.getInputProps(name, { type: 'checkbox' })} error={fault(name)} />
  )
  const password = (name: 'password' | 'repeatPassword', label: string) => (
    <PasswordField
      {...text(name, label, 200)}
      {...(adding || rises ? required : { placeholder: '••••••••' })}
      autoComplete="new-password"
    />
  )
  return (
    <div className={css.fields}>
      <Panel>
        <Section title={t('account')}>
          <div className={css.column}>
            <TextInput
              {...text('username', t('ui:username'), 60)}
              {...required}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus={adding}
            />
            <RoleField
              userForm={userForm}
              ownRole={ownRole}
              {...text('role', t('role'), 60)}
              description={<StoredValue value={stored.role} />}
            />
            <div className={css.pair}>
              {password('password', t('password'))}
              {password('repeatPassword', t('repeat-password'))}
            </div>
            <p className={css.notYours} role="status">
              {t(rises ? 'administrator-password' : adding ? 'password-hint' : 'password-stays', userForm.lengths)}
            </p>
            <div className={css.boxes}>
              {box('enabled', t('enabled-long'))}
              {box('ticket', t('ticket'))}
            </div>
          </div>
        </Section>
      </Panel>
      <Panel>
        <Section title={t('person')}>
          <div className={css.column}>
            <div className={css.pair}>
              <TextInput {...text('firstName', t('ui:first-name'), 60)} {...required} autoComplete="off" />
              <TextInput {...text('lastName', t('ui:last-name'), 60)} {...required} autoComplete="off" />
            </div>
            <TextInput {...text('email', t('ui:email'), 120)} {...required} type="email" autoComplete="off" />
            <PhoneField
              label={t('ui:phone')}
              prefix={form.getInputProps('prefix')}
              number={form.getInputProps('number')}
              error={fault('number')}
            />
            <StoredValue value={stored.number ?? stored.prefix} />
            {!adding && (
              <TextInput {...text('company', t('ui:optional', { what: t('company') }), 120)} autoComplete="off" />
            )}
            <TextInput
              {...text('organization', t('ui:optional', { what: t('organization') }), 120)}
              autoComplete="off"
            />
            <Textarea
              {...text('description', t('ui:optional', { what: t('ui:description') }), 200)}
              autosize
              minRows={2}
            />
          </div>
        </Section>
      </Panel>
    </div>
  )
}

type RoleProps = Pick<Props, 'userForm' | 'ownRole'> & {
  label: string
  error: string | undefined
  description: ReactNode
}

function RoleField({ userForm, ownRole, label, error, description }: RoleProps) {
  const { t } = useTranslation('users')
  const { roles, error: failure } = useRoleChoices()
  const offered = roles ?? []
  const all = ownRole && !offered.some(({ id }) => id === ownRole.id) ? [ownRole, ...offered] : offered
  return (
    <>
      <Select
        label={label}
        data={all.map(({ id, name }) => ({ value: String(id), label: name }))}
        placeholder={t('choose-role')}
        allowDeselect={false}
        required
        withAsterisk={false}
        searchable={all.length > 8}
        nothingFoundMessage={t('no-role')}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...userForm.form.getInputProps('role')}
        error={error}
        description={description}
      />
      {failure && !roles ? <ErrorBanner error={failure} title={t('roles-failed')} /> : null}
    </>
  )
}
