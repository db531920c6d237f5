import { Button, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../core/shortcuts.ts'
import { useRight } from '../core/useSelf.ts'
import { DownIcon, FileIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { Spinner } from '../ui/Loading.tsx'
import type { VehicleLocator } from './useVehicle.ts'
import { useVehicleReport } from './useVehicleReport.ts'
import css from './VehiclePage.module.css'

/** Downloads the evidence sheet (P), or the evidence package, and leads to the page that verifies them. */
export function ReportButton({ locator }: { locator: VehicleLocator }) {
  const { t } = useTranslation('vehicle')
  const isAnonymised = useRight('Anonymization')
  const { running, startDownload } = useVehicleReport(locator)
  const pdf = () => startDownload('pdf-with-image')
  useShortcuts([{ key: 'p', label: t('download-pdf'), run: pdf }])

  if (running)
    return (
      <Button
        className={css.short ?? ''}
        variant="default"
        leftSection={<Spinner size={16} />}
        onClick={running.cancel}
      >
        <span className={css.label}>{t('download-cancel')}</span>
      </Button>
    )
  return (
    <Button.Group>
      <Button variant="default" leftSection={<FileIcon />} rightSection={<Kbd>P</Kbd>} onClick={pdf}>
        <span className={css.wide}>{t('download-pdf')}</span>
        <span className={css.narrow}>PDF</span>
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px={8} aria-label={t('download-more')}>
            <DownIcon />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {!isAnonymised && <Menu.Item onClick={() => startDownload('zip')}>{t('download-zip')}</Menu.Item>}
          <Menu.Item component={Link} to="/evidence">
            {t('download-verify')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
