import { useTranslation } from 'react-i18next'

type Props = { href: string; className?: string | undefined }

/** Link to the source code for every user, required by section 13 of the AGPL. */
export function SourceLink({ href, className }: Props) {
  const { t } = useTranslation()
  return (
    <a href={href} rel="noreferrer" className={className}>
      {t('source')}
    </a>
  )
}
