import { Button, type ButtonProps } from '@mantine/core'
import { UserIcon } from './icons.tsx'
import css from './ProviderButton.module.css'

type Props = ButtonProps & { autoFocus?: boolean; onClick: () => void }

/** Leads to the page of an identity provider. */
export const ProviderButton = (props: Props) => (
  <Button classNames={{ root: css.root, label: css.label }} size="lg" fullWidth leftSection={<UserIcon />} {...props} />
)
