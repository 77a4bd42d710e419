// What there is to plot: for each tab the series, made from the columns that a row has.

export interface Series {
  label: string;
  /** Column, or what is computed from several. */
  columns: string[];
  combine?: (values: number[]) => number;
  hidden?: boolean;
  dashed?: boolean;
  variant: number;
  /** Only while it is not zero everywhere. */
  ifAny?: boolean;
}

export interface PlotKind {
  id: string;
  title: string;
  /** What is along the upright axis. */
  axis: string;
  series(columns: readonly string[], variant: number): Series[];
}

const length = (v: number[]) => Math.hypot(...v);

/** Columns that begin with a prefix, by what comes after it. */
function parts(columns: readonly string[], prefix: string, sign: string, variant: number, extra: Partial<Series>): Series[] {
  return columns
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ label: `${sign}${name.slice(prefix.length).replaceAll('_', ' ')}`, columns: [name], variant, ...extra }));
}

export const kinds: PlotKind[] = [
  {
    id: 'energy',
    title: 'Energy',
    axis: 'energy (J)',
    series: (columns, variant) => [
      { label: 'total', columns: ['energy'], variant },
      { label: 'target', columns: ['target'], dashed: true, variant },
      { label: 'kinetic', columns: ['kinetic'], variant },
      { label: 'visible motion', columns: ['visible'], variant },
      { label: 'potential', columns: ['potential'], variant },
      ...parts(columns, 'potential.', '', variant, { hidden: true }),
    ],
  },
  {
    id: 'flow',
    title: 'In and out',
    axis: 'energy (J)',
    series: (columns, variant) => [
      { label: 'added', columns: ['added'], variant },
      { label: 'dissipated', columns: ['dissipated'], variant },
      ...parts(columns, 'added.', '+ ', variant, { ifAny: true }),
      ...parts(columns, 'dissipated.', '− ', variant, { ifAny: true }),
    ],
  },
  {
    id: 'momentum',
    title: 'Momenta',
    axis: 'kg·m/s, kg·m²/s',
    series: (_, variant) => [
      { label: '|P|', columns: ['linear.x', 'linear.y', 'linear.z'], combine: length, variant },
      { label: '|L|', columns: ['angular.x', 'angular.y', 'angular.z'], combine: length, variant },
      ...['x', 'y', 'z'].map((axis) => ({ label: `P${axis}`, columns: [`linear.${axis}`], hidden: true, variant })),
      ...['x', 'y', 'z'].map((axis) => ({ label: `L${axis}`, columns: [`angular.${axis}`], hidden: true, variant })),
    ],
  },
  {
    id: 'iterations',
    title: 'Iterations',
    axis: 'a step',
    series: (_, variant) => [
      { label: 'solver', columns: ['iterations'], variant },
      { label: 'correction', columns: ['correction.iterations'], variant },
      { label: 'fallbacks', columns: ['correction.fallbacks'], variant },
      { label: 'contacts', columns: ['contacts'], variant, hidden: true },
    ],
  },
  {
    id: 'milliseconds',
    title: 'Time',
    axis: 'ms a step',
    series: (_, variant) => [
      { label: 'step', columns: ['ms.step'], variant },
      { label: 'solve', columns: ['ms.solve'], variant },
      { label: 'correct', columns: ['ms.correct'], variant },
      { label: 'contact', columns: ['ms.contact'], variant },
    ],
  },
];

/** Total and target of every variant, to compare them, and if wanted their visible motion. */
export function compared(labels: string[]): Series[] {
  return labels.flatMap((label, variant) => [
    { label, columns: ['energy'], variant },
    { label: `${label} (target)`, columns: ['target'], dashed: true, variant },
    { label: `${label} (visible motion)`, columns: ['visible'], hidden: true, variant },
  ]);
}
