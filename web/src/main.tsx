import './core/base.css'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './core/fonts.css'
import './core/tokens.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startHeartbeat } from './core/heartbeat.ts'
import { startTexts } from './core/i18n.ts'
import { startInactivity } from './core/inactivity.ts'
import { startKeys } from './core/keys.ts'
import { queryClient } from './core/queryClient.ts'
import { adoptSession, startSharedSession } from './core/sharedSession.ts'
import { startSharedSignOut } from './core/signOut.ts'
import { startSound } from './core/sound.ts'
import { sayStartBroken } from './core/startBroken.ts'
import { cssVariables, theme } from './core/theme.ts'
import { router, startGuard } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')

const start = (root: HTMLElement) => {
  startGuard()
  startHeartbeat()
  startInactivity()
  startSharedSession()
  startSharedSignOut()
  startKeys()
  startSound()
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
          <RouterProvider router={router} />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

Promise.all([startTexts(), adoptSession()]).then(
  () => start(root),
  () => sayStartBroken(root),
)
