import { change, type WireUser } from '@rogatka/contract/users.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useBanner } from '../core/useBanner.ts'
import { useDraftBase } from '../core/useDraft.ts'
import { useEdit } from '../core/useEdit.ts'
import { selfQuery, useSelf } from '../core/useSelf.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EditNotices } from '../ui/EditNotices.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FormTitle } from '../ui/FormBar.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { useConfirm } from '../ui/useConfirm.ts'
import { ResetFactors } from './ResetFactors.tsx'
import { UnlinkIdentity } from './UnlinkIdentity.tsx'
import { UserFormPage } from './UserFormPage.tsx'
import css from './Users.module.css'
import { useRoleChoices } from './useRoleChoices.ts'
import { changedUserOf, type UserValues, valuesOf } from './userValues.ts'
import { useUserForm } from './useUserForm.ts'
import { userQuery } from './useUsers.ts'

type Props = { id: number; onClose: () => void; onSaved: () => void }

/** Form of a stored user. */
export function EditUser({ id, onClose, onSaved }: Props) {
  const { t } = useTranslation('users')
  const { data: user, error, refetch } = useQuery(userQuery(id))
  useShortcuts([{ key: 'Escape', label: t('ui:back-to-list'), run: onClose }])
  if (user?.manageable) return <EditForm user={user} onClose={onClose} onSaved={onSaved} />
  return (
    <PageLayout title={<FormTitle back={t('core:nav-users')} onBack={onClose} title={t('edit-user')} />}>
      {user && <Notice>{t('errors:account-has-more-rights')}</Notice>}
      {error && <ErrorBanner error={error} title={t('user-failed')} retry={() => void refetch()} />}
      {!user && !error && <Loading label={t('loading-user')} />}
    </PageLayout>
  )
}

function EditForm({ user: latest, onClose, onSaved }: { user: WireUser } & Omit<Props, 'id'>) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const draft = `users/${latest.id}`
  const { base: user, isOlder } = useDraftBase(draft, latest)
  const showSuccess = useSuccessToast()
  const banner = useBanner()
  const isOfProvider = user.provider !== null
  const userForm = useUserForm(valuesOf(user), () => valuesOf(base.current), isOfProvider)
  const { form } = userForm
  const { base, stored, save, notices } = useEdit(user, form, {
    valuesOf,
    fetch: () => client.fetchQuery({ ...userQuery(user.id), staleTime: 0 }),
    storedText: (latest, field) => storedText(latest, field) || t('ui:empty'),
    isOlder,
    banner,
    send: (version) =>
      call(change, { params: { id: user.id }, body: changedUserOf(form.getValues(), version, isOfProvider) }),
    onSaved: async () => {
      showSuccess(t('ui:changes-saved'))
      await Promise.all([
        client.invalidateQueries({ queryKey: ['users'] }),
        client.invalidateQueries({ queryKey: selfQuery.queryKey }),
      ])
      onSaved()
    },
    onRejected: (error) => {
      userForm.show(error)
      banner.show(error)
    },
  })
  const confirm = useConfirm(() => save.mutate())
  const { data: self } = useSelf()
  const { roles = [] } = useRoleChoices()
  const roleName = (role: string | null) => roles.find(({ id }) => String(id) === role)?.name ?? ''
  const changesOwnRole = () => user.id === self?.id && form.getValues().role !== valuesOf(base.current).role
  return (
    <UserFormPage
      title={t('edit-user')}
      record={user.username}
      userForm={userForm}
      draft={draft}
      base={() => base.current}
      adding={false}
      provider={user.provider}
      ownRole={user.roles[0]}
      stored={stored}
      saving={save.isPending}
      onSubmit={() => (changesOwnRole() ? confirm.ask() : save.mutate())}
      onClose={onClose}
    >
      <ConfirmDialog {...confirm.dialog} title={t('own-role')} confirmLabel={t('own-role-confirm')} destructive>
        {t('own-role-hint', { before: user.roles[0]?.name ?? '', after: roleName(form.getValues().role) })}
      </ConfirmDialog>
      <EditNotices {...notices} title={t('save-failed')} />
      {latest.id !== self?.id && <SignInMeans user={latest} />}
    </UserFormPage>
  )
}

/** How the user signs in beside the password, each with its removal. */
function SignInMeans({ user }: { user: WireUser }) {
  const { t } = useTranslation('users')
  const { id, username, hasFactor, linkedProvider } = user
  if (!hasFactor && linkedProvider === null) return null
  return (
    <Panel>
      <Section title={t('sign-in')}>
        {hasFactor && (
          <div className={css.means}>
            <span>{t('has-factor')}</span>
            <ResetFactors user={user} />
          </div>
        )}
        {linkedProvider !== null && (
          <div className={css.means}>
            <span>{t('linked-account', { provider: linkedProvider })}</span>
            <UnlinkIdentity id={id} username={username} provider={linkedProvider} />
          </div>
        )}
      </Section>
    </Panel>
  )
}

/** Text of a stored value, shown beside its field. */
function storedText(user: WireUser, field: keyof UserValues): string {
  if (field === 'role') return user.roles[0]?.name ?? ''
  if (field === 'number' || field === 'prefix') return user.phoneNumber ?? ''
  return String(valuesOf(user)[field])
}
