import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { readToken, saveToken } from '@rogatka/contract/tickets.ts'
import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { fieldErrors } from '../core/errors.ts'
import { formatDate } from '../core/format.ts'
import { useBanner } from '../core/useBanner.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import css from './Preferences.module.css'
import { Saved } from './Saved.tsx'

const tokenQuery = queryOptions({
  queryKey: ['service-token'],
  queryFn: ({ signal }) => call(readToken, { signal, background: true }),
  staleTime: 0,
})

const FIELDS = ['email', 'token'] as const

/** The user's token of the ticket service: state, expiry, and a field for a new one. */
export function TokenSection({ self }: { self: WireSelf }) {
  const { t } = useTranslation('preferences')
  const client = useQueryClient()
  const banner = useBanner()
  const { data, error, refetch } = useQuery(tokenQuery)
  const form = useForm({
    initialValues: { email: self.email ?? '', token: '' },
    onValuesChange: () => save.isSuccess && save.reset(),
  })
  const save = useMutation({
    onMutate: banner.clear,
    mutationFn: (body: { email: string; token: string }) => call(saveToken, { body }),
    onSuccess: (stored) => {
      form.setFieldValue('token', '')
      client.setQueryData(tokenQuery.queryKey, stored)
    },
    onError: (failure) => {
      form.setErrors(fieldErrors(failure, FIELDS))
      banner.show(failure)
    },
  })
  const isExpired = data?.expiresAt != null && Date.parse(data.expiresAt) <= serverNow()
  const stateText = data?.stored
    ? t(isExpired ? 'service-token-expired' : 'service-token-stored', {
        email: data.email,
        date: data.expiresAt && formatDate(data.expiresAt),
      })
    : t('service-token-none')
  return (
    <Panel>
      <Section title={t('service-token')} hint={t('service-token-hint')}>
        <form className={css.form} noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
          {banner.message && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
          {data && <Notice kind={isExpired ? 'attention' : 'quiet'}>{stateText}</Notice>}
          {!data && !error && <Loading label={t('service-token-loading')} />}
          {!data && error && (
            <ErrorBanner error={error} title={t('service-token-failed')} retry={() => void refetch()} />
          )}
          <TextInput
            label={t('service-token-email')}
            type="email"
            maxLength={120}
            autoComplete="email"
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={t('service-token-field')}
            maxLength={500}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('show-token') }}
            {...form.getInputProps('token')}
          />
          <Saved isShown={save.isSuccess} text={t('service-token-saved')}>
            <Button type="submit" variant="default" loading={save.isPending}>
              {t('service-token-save')}
            </Button>
          </Saved>
        </form>
      </Section>
    </Panel>
  )
}
