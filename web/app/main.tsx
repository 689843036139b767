import './theme.ts'
import '../styles/tokens.css'
import '../styles/frame.css'
import '../styles/parts.css'
import '../styles/forms.css'
import '../styles/table.css'
import '../styles/pages.css'
import '../styles/gateway.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
