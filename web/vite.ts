import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'

const here = import.meta.dirname

/**
 * How the console is built. It uses the service's own rules for marketplace prices, so what they need of Node is
 * replaced.
 */
export const viteConfig: InlineConfig = {
  configFile: false,
  root: here,
  base: '/console/',
  logLevel: 'warn',
  plugins: [react()],
  resolve: {
    alias: {
      'node:timers/promises': join(here, 'marketplace/node-in-browser.ts'),
    },
  },
  build: {
    outDir: join(here, 'dist'),
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      transform: { inject: { Buffer: [join(here, 'marketplace/node-in-browser.ts'), 'Buffer'] } },
    },
  },
}
