import '../state/theme.ts'
import '../styles/tokens.css'
import '../styles/frame.css'
import '../styles/page.css'
import '../styles/side.css'
import '../styles/bar.css'
import '../styles/cards.css'
import '../styles/states.css'
import '../styles/progress.css'
import '../styles/copy.css'
import '../styles/charts.css'
import '../styles/buttons.css'
import '../styles/fields.css'
import '../styles/choices.css'
import '../styles/dialog.css'
import '../styles/table.css'
import '../styles/cells.css'
import '../styles/marks.css'
import '../styles/sign-in.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { rememberCurrency } from '../settings/currency-choice.ts'
import { App } from './app.tsx'

rememberCurrency()

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
