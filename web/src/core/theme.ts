import {
  Button,
  type Checkbox,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
  type Menu,
} from '@mantine/core'
import palette from './palette.json'
import css from './theme.module.css'

const BUTTON_HEIGHTS: Record<string, string> = { xs: '28px', sm: 'var(--h-control)', lg: 'var(--h-touch)' }

export const theme = createTheme({
  colors: palette as unknown as Record<keyof typeof palette, MantineColorsTuple>,
  primaryColor: 'accent',
  // Index 8 is the fill in both themes; contrast with white 8.2.
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 4,
  fontFamily: 'var(--ui)',
  headings: { fontFamily: 'var(--ui)', fontWeight: '600' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'sm' },
      vars: (_theme, { size }) => ({
        root: {
          '--button-height': BUTTON_HEIGHTS[String(size)],
          '--button-fz': size === 'lg' ? '16px' : size === 'xs' ? '13px' : '14px',
          '--button-padding-x': size === 'xs' ? '9px' : 'var(--p-button)',
        },
      }),
      classNames: { root: css.button ?? '' },
    }),
    // Types only: the login needs neither, and importing Menu would include its pop-up code.
    Checkbox: { defaultProps: { size: 'sm', radius: 3 } } satisfies Parameters<typeof Checkbox.extend>[0],
    Input: Input.extend({
      vars: (_theme, { size }) => ({
        wrapper: {
          '--input-height': size === 'lg' ? 'var(--h-touch)' : 'var(--h-control)',
          '--input-fz': size === 'lg' ? '16px' : '14px',
        },
      }),
      classNames: { input: css.input ?? '' },
    }),
    InputWrapper: Input.Wrapper.extend({
      classNames: { label: css.label ?? '', description: css.description ?? '', error: css.error ?? '' },
    }),
    Menu: {
      // Mantine's placeholder for the initial focus is not a valid menu item.
      defaultProps: {
        transitionProps: { duration: 0 },
        offset: 2,
        withInitialFocusPlaceholder: false,
        withinPortal: false,
      },
      classNames: { dropdown: css.menu ?? '', item: css.menuItem ?? '' },
    } satisfies Parameters<typeof Menu.extend>[0],
  },
})

/** Sets Mantine's variables to those of tokens.css, which defines both themes. */
export const cssVariables: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--ground)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-3)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--raised)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--edge)',
    '--mantine-color-error': 'var(--red)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-accent-text': 'var(--accent)',
    '--mantine-color-accent-outline': 'var(--accent)',
    '--mantine-color-accent-light': 'var(--accent-soft)',
    '--mantine-color-accent-light-hover': 'var(--accent-soft)',
    '--mantine-color-accent-light-color': 'var(--accent)',
    '--mantine-color-red-text': 'var(--red)',
    '--mantine-color-red-outline': 'var(--red)',
    '--mantine-color-red-light': 'var(--red-soft)',
    '--mantine-color-red-light-hover': 'var(--red-soft)',
    '--mantine-color-red-light-color': 'var(--red)',
  }
  return { variables: {}, light: both, dark: both }
}
