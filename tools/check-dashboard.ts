/**
 * Checks the dashboard of deploy/ with the types that Grafana publishes for its format, because
 * Grafana ignores an unknown field and shows an empty panel. promtool parses the queries.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

const TSC = path.resolve(import.meta.dirname, '../node_modules/.bin/tsc');
const COLUMNS = 24;

type Tool = (command: string, args: string[]) => Promise<string>;

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string }[];
}

/** JSON has the values of enums, and the types require their names. */
const TYPES = `
import type { Dashboard, DataQuery, Panel } from '@grafana/schema';
import type { FieldConfig, Options } from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

type Json<T> = T extends string ? \`\${T}\` : T extends object ? { [Key in keyof T]: Json<T[Key]> } : T;
type Optional<T> = T extends object ? { [Key in keyof T]?: Optional<T[Key]> } : T;
interface Query extends DataQuery {
  expr: string;
  legendFormat: string;
}
type TimeSeries = Omit<Panel<object, Optional<FieldConfig>>, 'options' | 'targets'>
  & Required<Pick<Panel, 'id' | 'title' | 'gridPos' | 'datasource' | 'fieldConfig'>>
  & { type: 'timeseries'; options: Optional<Options>; targets: Query[] };
type Checked = Json<Omit<Dashboard, 'panels'>> & { panels: Json<TimeSeries>[] };
`;

/** `folder` has the package @grafana/schema. */
export async function checkDashboard(content: string, folder: string, tool: Tool) {
  const { panels } = JSON.parse(content) as { panels: Panel[] };
  await checkTypes(content, folder, tool);
  checkPlaces(panels);
  await checkQueries(panels, folder, tool);
}

async function checkTypes(content: string, folder: string, tool: Tool) {
  const file = path.join(folder, 'dashboard.mts');
  await writeFile(file, `${TYPES}\nexport const dashboard: Checked = ${content};`);
  await tool(TSC, ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig', file]);
}

/** Grafana moves panels that overlap, and confuses those with the same id. */
function checkPlaces(panels: readonly Panel[]) {
  panels.forEach(({ id, title, gridPos: { x, y, w, h } }, number) => {
    if (x + w > COLUMNS) throw new Error(`the panel '${title}' ends to the right of column ${COLUMNS}`);
    for (const other of panels.slice(0, number)) {
      const { gridPos } = other;
      if (other.id === id) throw new Error(`the panels '${other.title}' and '${title}' have the id ${id}`);
      const isBeside = x >= gridPos.x + gridPos.w || gridPos.x >= x + w || y >= gridPos.y + gridPos.h || gridPos.y >= y + h;
      if (!isBeside) throw new Error(`the panels '${other.title}' and '${title}' overlap`);
    }
  });
}

/** promtool reads rules, so each query of a panel becomes one. */
async function checkQueries(panels: readonly Panel[], folder: string, tool: Tool) {
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const rules = queries.map((expr, number) => ({ record: `query_${number}`, expr }));
  const file = path.join(folder, 'dashboard.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  await tool('promtool', ['check', 'rules', file]);
}
