import { Button } from '@mantine/core'
import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRight } from '../core/useSelf.ts'

/** Link to the measurement in the archive; the inspection has its own copy, which stays longer. */
export function PassageLink({ passage }: { passage: NonNullable<WireInspection['wim']> }) {
  const { t } = useTranslation('inspections')
  const canOpen = useRight('ArchiveMeasurements')
  if (!canOpen) return null
  const { id, location, createdAt } = passage
  return (
    <Button
      variant="subtle"
      color="gray"
      component={Link}
      to="/vehicleArch/$id/$locationId/$createdAt"
      params={{ id: String(id), locationId: String(location.id), createdAt } as never}
    >
      {t('measurement')}
    </Button>
  )
}
