import { Button, Select, Text, TextInput } from '@mantine/core'
import type { WireLocation } from '@rogatka/contract/locations.ts'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../core/queryClient.ts'
import confirmCss from '../ui/ConfirmDialog.module.css'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import css from './Random.module.css'
import { openRandom } from './randomRequest.ts'

type Props = { point: WireLocation | undefined; locations: readonly WireLocation[] }

/** Takes over a vehicle that nobody announced. */
export function RandomInspection({ point, locations }: Props) {
  const { t } = useTranslation('inspections')
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [selected, setSelected] = useState<string | null>(null)
  const [vehicle, setVehicle] = useState('')
  const locationId = Number(selected ?? point?.id ?? 0)
  const start = useMutation({
    mutationFn: () =>
      openRandom({
        locationId,
        state: 'takenOver',
        selection: 'random',
        ...(vehicle.trim() && { note: vehicle.trim() }),
      }),
    onSuccess: (id) => {
      void queryClient.invalidateQueries({ queryKey: ['inspections', 'list'] })
      void navigate({ to: '/inspections/$id', params: { id } })
    },
  })
  return (
    <>
      <Button variant="default" leftSection={<PlusIcon />} onClick={() => setOpen(true)}>
        <span className={css.wide}>{t('random')}</span>
        <span className={css.narrow}>{t('random-short')}</span>
      </Button>
      <Dialog title={t('random')} open={open} onClose={() => setOpen(false)}>
        {start.error && <ErrorBanner error={start.error} title={t('random-failed')} dismiss={start.reset} />}
        <Text mb="sm">{t('random-hint')}</Text>
        <Select
          label={t('ui:station')}
          data={locations.map(({ id, shortName }) => ({ value: String(id), label: shortName }))}
          value={locationId > 0 ? String(locationId) : null}
          allowDeselect={false}
          onChange={setSelected}
        />
        <TextInput
          label={t('random-vehicle')}
          description={t('random-vehicle-hint')}
          value={vehicle}
          maxLength={200}
          mt="sm"
          onChange={({ currentTarget }) => setVehicle(currentTarget.value)}
        />
        <div className={confirmCss.buttons}>
          <Button variant="default" onClick={() => setOpen(false)}>
            {t('ui:cancel')}
          </Button>
          <Button disabled={locationId === 0} loading={start.isPending} onClick={() => start.mutate()}>
            {t('take-over')}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
