/** Chart colours. Their meaning: docs/domain.md, Charts. */
export type ChartTheme = {
  surface: string
  line: string
  edge: string
  text: string
  text2: string
  text3: string
  accent: string
  accentSoft: string
  red: string
  amber: string
  /** For unordered series, in this order. */
  series: readonly string[]
  /** For ordered series, from low to high. */
  steps: readonly string[]
  font: string
}

const font = "'IBM Plex Sans', 'Segoe UI', Arial, sans-serif"

/** The same colours as in web/src/core/tokens.css. */
export const themes: Record<'light' | 'dark', ChartTheme> = {
  light: {
    surface: '#ffffff',
    line: '#d3d9db',
    edge: '#717e83',
    text: '#14191b',
    text2: '#434d52',
    text3: '#586369',
    accent: '#14508c',
    accentSoft: '#dce8f4',
    red: '#b01e1a',
    amber: '#8a5200',
    series: ['#233375', '#8d5403', '#5897e1', '#919001', '#06696c', '#d47491', '#7f51c4', '#5a3100', '#131d26'],
    steps: ['#a9c9e8', '#7faedb', '#5590ca', '#3272b0', '#1f5890', '#163f6b', '#0f2846'],
    font,
  },
  dark: {
    surface: '#171b1d',
    line: '#2b3235',
    edge: '#67747a',
    text: '#e6eaeb',
    text2: '#b3bdc1',
    text3: '#8f9ba0',
    accent: '#82b6ea',
    accentSoft: '#15293d',
    red: '#ff8273',
    amber: '#ffc24a',
    series: ['#7a7af9', '#e2d88c', '#a4cdfc', '#a2b342', '#007484', '#cd7cbc', '#7d48c8', '#985f31', '#e5f4fe'],
    steps: ['#1d3a57', '#2a537c', '#3a6fa3', '#568fc6', '#82b6ea', '#afd2f4', '#ddedfb'],
    font,
  },
}
