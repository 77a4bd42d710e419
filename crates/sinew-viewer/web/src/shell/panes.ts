// The panel and the plots: beside the picture where there is room, else one at a time, as a sheet that takes a part of the window.

const SMALL = matchMedia('(max-width: 900px), (max-height: 480px)');
const SHORT = matchMedia('(max-height: 480px)');

export type Pane = 'panel' | 'plots';

export class Panes {
  private readonly open = { panel: !SMALL.matches, plots: !SHORT.matches };

  constructor(private readonly app: HTMLElement) {
    SMALL.addEventListener('change', () => {
      // One that has turned the telephone sees the picture first.
      if (SMALL.matches) this.open.panel = false;
      else this.open.panel = this.open.plots = true;
      this.show();
    });
  }

  /** To be called when the buttons are on the page. */
  show(): void {
    for (const name of ['panel', 'plots'] as const) {
      this.app.classList.toggle(`no-${name}`, !this.open[name]);
      document.getElementById(`toggle-${name}`)?.setAttribute('aria-pressed', String(this.open[name]));
    }
  }

  flip(name: Pane, on = !this.open[name]): void {
    this.open[name] = on;
    if (on && SHORT.matches) this.open[name === 'panel' ? 'plots' : 'panel'] = false;
    this.show();
    if (!on && name === 'panel' && SMALL.matches) document.getElementById('toggle-panel')?.focus();
  }
}
