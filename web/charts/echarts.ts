import { LineChart, ScatterChart, TreemapChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { connect, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

// The parts of ECharts in use. They are in a separate file that is loaded when the first chart is shown.
use([
  LineChart,
  ScatterChart,
  TreemapChart,
  AriaComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  CanvasRenderer,
])

export { connect, init }
