import { Button, Select } from '@mantine/core'
import { add } from '@rogatka/contract/inspections.ts'
import type { WireLocation } from '@rogatka/contract/locations.ts'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import confirmCss from '../ui/ConfirmDialog.module.css'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { newIdempotencyKey } from './idempotencyKey.ts'
import css from './Random.module.css'

type Props = { point: WireLocation | undefined; locations: readonly WireLocation[] }

/** Takes over a vehicle that nobody announced. */
export function RandomInspection({ point, locations }: Props) {
  const { t } = useTranslation('inspections')
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [selected, setSelected] = useState<string | null>(null)
  // The same until it was answered: a repeated attempt opens no second inspection.
  const key = useRef(newIdempotencyKey())
  const locationId = Number(selected ?? point?.id ?? 0)
  const start = useMutation({
    mutationFn: () =>
      call(add, {
        body: { locationId, state: 'takenOver', selection: 'random' },
        idempotencyKey: `${key.current}-${locationId}`,
      }),
    onSuccess: ({ id }) => {
      key.current = newIdempotencyKey()
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
        <p>{t('random-hint')}</p>
        <Select
          label={t('ui:station')}
          data={locations.map(({ id, shortName }) => ({ value: String(id), label: shortName }))}
          value={locationId > 0 ? String(locationId) : null}
          allowDeselect={false}
          onChange={setSelected}
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
