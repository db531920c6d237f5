import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { MAX_ADDITIONAL_SECONDS } from '@rogatka/contract/current.ts'
import { readSettings, saveSettings } from '@rogatka/contract/preferences.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'
import { selfQuery } from '../core/useSelf.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { descriptionBelow } from '../ui/StoredValue.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './Preferences.module.css'
import { Saved } from './Saved.tsx'
import { secondsError } from './seconds.ts'

/** Settings of the live list. */
export function SettingsSection() {
  const { t } = useTranslation('preferences')
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call(readSettings, { signal, background: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <Panel>
      <Section title={t('core:nav-current')}>
        {data && <SettingsForm seconds={data.checkpointAdditionalTime} />}
        {!data && !error && <Loading label={t('settings-loading')} />}
        {!data && error && <ErrorBanner error={error} title={t('settings-failed')} retry={() => void refetch()} />}
      </Section>
    </Panel>
  )
}

const FIELDS = ['checkpointAdditionalTime'] as const

function SettingsForm({ seconds }: { seconds: number }) {
  const { t } = useTranslation('preferences')
  const textOf = useErrorText()
  const client = useQueryClient()
  const banner = useBanner()
  const form = useForm({
    initialValues: { checkpointAdditionalTime: String(seconds) },
    validate: { checkpointAdditionalTime: secondsError },
    onValuesChange: () => save.isSuccess && save.reset(),
  })
  const save = useMutation({
    onMutate: banner.clear,
    mutationFn: (body: { checkpointAdditionalTime: number }) => call(saveSettings, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: selfQuery.queryKey }),
    onError: (error) => {
      form.setErrors(fieldErrors(error, FIELDS))
      banner.show(error)
    },
  })
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={form.onSubmit(
        ({ checkpointAdditionalTime }) => save.mutate({ checkpointAdditionalTime: Number(checkpointAdditionalTime) }),
        () => form.getInputNode('checkpointAdditionalTime')?.focus(),
      )}
    >
      {banner.message && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
      <TextInput
        label={t('additional-time')}
        description={t('additional-time-hint', { max: MAX_ADDITIONAL_SECONDS })}
        {...descriptionBelow}
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        className={css.seconds ?? ''}
        rightSection="s"
        {...form.getInputProps('checkpointAdditionalTime')}
        error={form.errors.checkpointAdditionalTime && textOf(form.errors.checkpointAdditionalTime)}
      />
      <Saved isShown={save.isSuccess} text={t('data-saved-correctly')}>
        <Button type="submit" variant="default" loading={save.isPending}>
          {t('save-settings')}
        </Button>
      </Saved>
    </form>
  )
}
