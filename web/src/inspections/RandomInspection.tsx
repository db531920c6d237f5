import { Button, Select, Text, TextInput } from '@mantine/core'
import type { Language } from '@rogatka/contract/languages.ts'
import type { WireLocation } from '@rogatka/contract/locations.ts'
import { MAX_PLATE_LENGTH } from '@rogatka/contract/options.ts'
import { countries } from '@rogatka/domain/vehicle/country.ts'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { useLanguage } from '../core/language.ts'
import { queryClient } from '../core/queryClient.ts'
import confirmCss from '../ui/ConfirmDialog.module.css'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import css from './Random.module.css'
import { openRandom } from './randomRequest.ts'

/** The station of the last one on this device. */
const STATION = 'inspection-random-station'

/** Countries by their names in a language. */
function countryOptions(language: Language) {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return countries
    .map((code) => ({ value: code, label: `${names.of(code)} (${code})` }))
    .sort((a, b) => a.label.localeCompare(b.label, language))
}

type Props = { station: WireLocation | undefined; locations: readonly WireLocation[] }

/** Takes over a vehicle that nobody announced. */
export function RandomInspection({ station, locations }: Props) {
  const { t } = useTranslation('inspections')
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [selected, setSelected] = useState<string | null>(null)
  const [plate, setPlate] = useState('')
  const [country, setCountry] = useState('PL')
  const language = useLanguage()
  const [last] = useState(() => Number(readStored('local', STATION)))
  const known = locations.some(({ id }) => id === last) ? last : 0
  const locationId = Number(selected ?? station?.id ?? known)
  const start = useMutation({
    mutationFn: () =>
      openRandom({
        locationId,
        state: 'takenOver',
        selection: 'random',
        ...(plate.trim() && { plateLpr: plate.trim(), nationality: country }),
      }),
    onSuccess: (id) => {
      writeStored('local', STATION, String(locationId))
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
          label={t('random-plate')}
          value={plate}
          maxLength={MAX_PLATE_LENGTH}
          mt="sm"
          autoComplete="off"
          autoCapitalize="characters"
          onChange={({ currentTarget }) => setPlate(currentTarget.value)}
        />
        <Select
          label={t('random-country')}
          data={countryOptions(language)}
          value={country}
          mt="sm"
          searchable
          allowDeselect={false}
          onChange={(code) => setCountry(code ?? country)}
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
