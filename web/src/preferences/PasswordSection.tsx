import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { updatePassword } from '@rogatka/contract/preferences.ts'
import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zod4Resolver } from 'mantine-form-zod-resolver'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors, showError } from '../core/errors.ts'
import { selfQuery } from '../core/useSelf.ts'
import { useStrength } from '../session/publicApi.ts'
import { FieldPair } from '../ui/Fields.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { StrengthMeter } from '../ui/StrengthMeter.tsx'
import { useFormErrors } from '../ui/useFormErrors.ts'
import css from './Preferences.module.css'
import { Saved } from './Saved.tsx'

const FIELDS = ['password', 'newPassword'] as const

/** Changes the own password; all other sessions end. */
export function PasswordSection({ self }: { self: WireSelf }) {
  const { t } = useTranslation('preferences')
  const client = useQueryClient()
  const form = useForm({
    initialValues: { password: '', newPassword: '' },
    validate: zod4Resolver(updatePassword.body),
    onValuesChange: ({ newPassword }) => newPassword && change.isSuccess && change.reset(),
  })
  const strength = useStrength(form.values.newPassword, [self.username, self.firstName, self.lastName, self.email])
  const { focusFirst, textOfError } = useFormErrors(form, { fields: FIELDS })
  const change = useMutation({
    mutationFn: (body: { password: string; newPassword: string }) => call(updatePassword, { body }),
    onSuccess: async () => {
      form.reset()
      await Promise.all([
        client.invalidateQueries({ queryKey: selfQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['sessions'] }),
      ])
    },
    onError: (error) => {
      const errors = fieldErrors(error, FIELDS)
      form.setErrors(errors)
      focusFirst(errors)
      showError(error, { title: t('password-failed') })
    },
  })
  const field = (name: (typeof FIELDS)[number]) => ({
    required: true,
    withAsterisk: false,
    maxLength: 200,
    ...form.getInputProps(name),
    error: textOfError(name),
  })
  return (
    <Panel>
      <Section title={t('password')}>
        <form className={css.form} noValidate onSubmit={form.onSubmit((values) => change.mutate(values), focusFirst)}>
          <input type="text" autoComplete="username" value={self.username} readOnly hidden />
          <FieldPair>
            <PasswordField label={t('ui:current-password')} autoComplete="current-password" {...field('password')} />
            <PasswordField label={t('ui:new-password')} autoComplete="new-password" {...field('newPassword')} />
          </FieldPair>
          <StrengthMeter
            label={t('session:strength')}
            strength={strength}
            strengthText={strength ? t(`session:strength-${strength}`) : '–'}
          />
          <p className={css.hint}>{t('password-hint')}</p>
          <Saved isShown={change.isSuccess} text={t('ui:updated')}>
            <Button type="submit" variant="default" loading={change.isPending}>
              {t('change-password')}
            </Button>
          </Saved>
        </form>
      </Section>
    </Panel>
  )
}
