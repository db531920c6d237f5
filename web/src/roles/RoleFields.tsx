import { Select, Textarea, TextInput } from '@mantine/core'
import { equivalentOf } from '@rogatka/contract/access.ts'
import { type RequiredFactor, requiredFactors } from '@rogatka/contract/options.ts'
import { ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import { canManage, sortPermissions } from '@rogatka/domain/users/grants.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBuild } from '../core/useBuild.ts'
import { useSelf } from '../core/useSelf.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FieldColumn } from '../ui/Fields.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { StoredValue, storedBelow } from '../ui/StoredValue.tsx'
import { PermissionTiles } from './PermissionTiles.tsx'
import css from './Roles.module.css'
import { isFixed, type RoleValues } from './roleValues.ts'
import { usePermissionTexts } from './usePermissionTexts.ts'
import type { RoleForm } from './useRoleForm.ts'
import { useOfferedPermissions } from './useRoles.ts'

type Props = {
  /** Undefined for a new role. */
  id: number | undefined
  roleForm: RoleForm
  stored: Partial<Record<keyof RoleValues, string>>
}

/** Name, description and the second factor that is required; granted and available permissions. */
export function RoleFields({ id, roleForm, stored }: Props) {
  const { t } = useTranslation('roles')
  const { form, textOfError } = roleForm
  const { permissions } = form.values
  const setPermissions = (next: string[]) => {
    form.setFieldValue('permissions', next)
    form.clearFieldError('permissions')
  }
  const initialPermissions = form.getInitialValues().permissions
  const permissionsError = textOfError('permissions')
  const factors = useFactorOptions()
  const { data: self } = useSelf()
  // A renamed role could be assigned by mistake, so renaming needs the role's own rights.
  const isNameFixed = id !== undefined && self !== undefined && !canManage(self.permissions, initialPermissions)
  return (
    <div className={css.form}>
      <Panel>
        <FieldColumn>
          <TextInput
            label={t('name')}
            maxLength={60}
            required
            withAsterisk={false}
            autoComplete="off"
            readOnly={isNameFixed}
            autoFocus={initialPermissions.length === 0}
            {...form.getInputProps('name')}
            {...storedBelow(stored.name)}
            error={textOfError('name')}
          />
          <Textarea
            label={t('ui:optional', { name: t('ui:description') })}
            maxLength={200}
            autosize
            minRows={2}
            readOnly={isNameFixed}
            {...form.getInputProps('description')}
            {...storedBelow(stored.description)}
            error={textOfError('description')}
          />
          <Select
            label={t('required-factor')}
            description={t(`factor-${form.values.requiredFactor}-hint`)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={factors}
            allowDeselect={false}
            disabled={isNameFixed}
            {...form.getInputProps('requiredFactor')}
            error={textOfError('requiredFactor')}
          />
          <StoredValue value={stored.requiredFactor} />
          {isNameFixed && <p className={css.fixed}>{t('errors:role-has-more-rights')}</p>}
        </FieldColumn>
      </Panel>
      <Panel>
        <Section
          title={t('granted')}
          hint={<span role="status">{permissions.length}</span>}
          invalid={Boolean(permissionsError)}
        >
          {permissionsError && (
            <p className={css.invalid} role="alert">
              {permissionsError}
            </p>
          )}
          <StoredValue value={stored.permissions} />
          {id === ADMINISTRATOR_ROLE && <p className={css.fixed}>{t('administrator-fixed')}</p>}
          {permissions.length === 0 && !permissionsError && <p className={css.none}>{t('none-granted')}</p>}
          <PermissionTiles
            permissions={permissions}
            granted
            isLocked={(permission) => isFixed(id, permission)}
            isNew={(permission) => !initialPermissions.includes(permission)}
            onPress={(permission) => setPermissions(permissions.filter((other) => other !== permission))}
          />
        </Section>
      </Panel>
      <Panel>
        <AvailablePermissions
          id={id}
          granted={permissions}
          onGrant={(permission) => setPermissions(sortPermissions([...permissions, permission]))}
        />
      </Panel>
    </div>
  )
}

type AvailableProps = { id: number | undefined; granted: readonly string[]; onGrant: (permission: string) => void }

/** Permissions that can be granted, with a search. */
function AvailablePermissions({ id, granted, onGrant }: AvailableProps) {
  const { t } = useTranslation('roles')
  const texts = usePermissionTexts()
  const [search, setSearch] = useState('')
  const { permissions, error, refetch } = useOfferedPermissions()
  // Of equivalent permissions only one is offered, and none if the role has one of them.
  const grantedRights = new Set(granted.map(equivalentOf))
  const available = permissions?.filter(
    (permission) =>
      permission === equivalentOf(permission) && !grantedRights.has(permission) && !isFixed(id, permission),
  )
  const found = available?.filter((permission) => {
    const { number, name, description } = texts(permission)
    return `${number} ${name} ${description}`.toLocaleLowerCase().includes(search.toLocaleLowerCase())
  })
  return (
    <Section title={t('available')} hint={available?.length}>
      <div className={css.search}>
        <SearchField label={t('search-permission')} value={search} onSearch={setSearch} />
      </div>
      {error && !permissions && (
        <ErrorBanner error={error} title={t('permissions-failed')} retry={() => void refetch()} />
      )}
      {!error && !permissions && <Loading label={t('loading-permissions')} />}
      {available?.length === 0 && <p className={css.none}>{t('none-available')}</p>}
      {available && available.length > 0 && found?.length === 0 && <p className={css.none}>{t('none-found')}</p>}
      <PermissionTiles permissions={found ?? []} granted={false} onPress={onGrant} />
    </Section>
  )
}

/** What a role may require; not what the portal cannot offer. */
function useFactorOptions() {
  const { t } = useTranslation('roles')
  const { build } = useBuild()
  const isUnavailable: Partial<Record<RequiredFactor, boolean>> = {
    passkey: build?.passkeys === false,
    provider: build?.providers.length === 0,
  }
  return requiredFactors.map((value) => ({
    value,
    label: t(`factor-${value}`),
    disabled: isUnavailable[value] ?? false,
  }))
}
