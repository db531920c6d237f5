import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import type { Root } from 'react-dom/client'
import { deviceSession } from './core/device.ts'
import { followLanguage } from './core/followLanguage.ts'
import { startFocusKeeping } from './core/frame/keepFocus.ts'
import { focusFirstPage } from './core/frame/usePageFocus.ts'
import { startHeartbeat } from './core/heartbeat.ts'
import { addTexts, type Texts } from './core/i18n.ts'
import { startInactivity } from './core/inactivity.ts'
import { queryClient } from './core/queryClient.ts'
import { startSharedSession } from './core/sharedSession.ts'
import { startShortcuts } from './core/shortcuts.ts'
import { startSharedSignOut } from './core/signOut.ts'
import { startSound } from './core/sound.ts'
import { cssVariables, theme } from './core/theme.ts'
import { deleteOldWork } from './inspections/storedWork.ts'
import { router, startGuard } from './routes.tsx'

addTexts(import.meta.glob<Texts>('/src/*/{pl,en,lt,de,ro}.json', { import: 'default' }))

// From now on, as the login may be shown still.
followLanguage()

/** Starts the portal: services, then the router. `isSignIn`: it replaces the login page. */
export function startPortal(root: Root, isSignIn: boolean): void {
  if (isSignIn) focusFirstPage()
  startFocusKeeping()
  startGuard()
  // A wall screen has a token of its own, and takes no part in the sessions of users.
  if (deviceSession.get().token === null) {
    startHeartbeat()
    startInactivity()
    startSharedSession()
    startSharedSignOut()
  }
  startShortcuts()
  startSound()
  void deleteOldWork()
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
          <RouterProvider router={router} />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
