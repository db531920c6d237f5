import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Notice } from './Notice.tsx'

type Props = { onLoad: () => void; loading: boolean }

/** Edit conflict: offers to reload the record; the user's input is kept. */
export function ConflictNotice({ onLoad, loading }: Props) {
  const { t } = useTranslation('ui')
  return (
    <Notice>
      {t('changed-meanwhile')}
      <Notice.Actions>
        <Button size="xs" variant="default" onClick={onLoad} loading={loading}>
          {t('reload')}
        </Button>
      </Notice.Actions>
    </Notice>
  )
}
