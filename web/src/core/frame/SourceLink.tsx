import { useTranslation } from 'react-i18next'

type Props = { href: string; className?: string | undefined }

/** Offers the source code to every user, as section 13 of the AGPL asks. */
export function SourceLink({ href, className }: Props) {
  const { t } = useTranslation()
  return (
    <a href={href} rel="noreferrer" className={className}>
      {t('source')}
    </a>
  )
}
