import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { updateSelf } from '@rogatka/contract/preferences.ts'
import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { DraftNotice } from '../core/frame/DraftNotice.tsx'
import { useBanner } from '../core/useBanner.ts'
import { useDraft } from '../core/useDraft.ts'
import { selfQuery } from '../core/useSelf.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FieldPair } from '../ui/Fields.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { PhoneField } from '../ui/PhoneField.tsx'
import { useFormErrors } from '../ui/useFormErrors.ts'
import { type AccountValues, accountErrors, accountOf, fieldOf, PATHS, valuesOf } from './accountValues.ts'
import css from './Preferences.module.css'
import { Saved } from './Saved.tsx'

const FIELDS: (keyof AccountValues)[] = ['firstName', 'lastName', 'email', 'number', 'password']

/** Name, e-mail and phone; changes need the current password. */
export function AccountSection({ self }: { self: WireSelf }) {
  const { t } = useTranslation('preferences')
  const client = useQueryClient()
  const banner = useBanner()
  const form = useForm<AccountValues>({
    initialValues: valuesOf(self),
    validate: (values) => accountErrors(values, self),
    onValuesChange: () => save.isSuccess && save.reset(),
  })
  const draft = useDraft(form, { form: 'account', title: t('account'), withheld: ['password'] })
  const { focusFirst, textOfError } = useFormErrors(form, {
    fields: FIELDS,
    missingText: (field) => t(`missing-${field}`),
  })
  const save = useMutation({
    onMutate: banner.clear,
    mutationFn: (values: AccountValues) => call(updateSelf, { body: accountOf(values, self) }),
    onSuccess: async (_, values) => {
      const saved = { ...values, password: '' }
      form.setInitialValues(saved)
      form.setValues(saved)
      await client.invalidateQueries({ queryKey: selfQuery.queryKey })
    },
    onError: (error) => {
      const errors = Object.fromEntries(
        Object.entries(fieldErrors(error, PATHS)).map(([path, text]) => [fieldOf(path), text]),
      )
      form.setErrors(errors)
      focusFirst(errors)
      banner.show(error)
    },
  })
  const isOfProvider = self.provider !== null
  const field = (name: keyof AccountValues, isOptional = false) => ({
    required: !isOptional,
    withAsterisk: false,
    ...form.getInputProps(name),
    error: textOfError(name),
  })
  return (
    <Panel>
      <Section title={t('account')} hint={self.username}>
        <form className={css.form} noValidate onSubmit={form.onSubmit((values) => save.mutate(values), focusFirst)}>
          <DraftNotice draft={draft} withheld="password" />
          {banner.message && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
          <FieldPair>
            <TextInput label={t('ui:first-name')} maxLength={60} autoComplete="given-name" {...field('firstName')} />
            <TextInput label={t('ui:last-name')} maxLength={60} autoComplete="family-name" {...field('lastName')} />
          </FieldPair>
          <TextInput
            label={isOfProvider ? t('ui:optional', { name: t('ui:email') }) : t('ui:email')}
            type="email"
            maxLength={120}
            autoComplete="email"
            {...field('email', isOfProvider)}
          />
          <PhoneField form={form} error={textOfError('number')} isOptional={isOfProvider} />
          {!isOfProvider && (
            <PasswordField
              label={t('confirming-password')}
              maxLength={200}
              autoComplete="current-password"
              {...field('password')}
            />
          )}
          <Saved isShown={save.isSuccess} text={t('data-saved-correctly')}>
            <Button type="submit" variant="default" loading={save.isPending}>
              {t('save-account')}
            </Button>
          </Saved>
        </form>
      </Section>
    </Panel>
  )
}
