// Dark or light: as the system says, unless someone said otherwise.

const KEY = 'sinew-theme';

export class Theme {
  private readonly system = matchMedia('(prefers-color-scheme: dark)');
  private chosen: 'dark' | 'light' | null = null;

  constructor(private readonly changed: (dark: boolean) => void) {
    try {
      const stored = localStorage.getItem(KEY);
      if (stored === 'dark' || stored === 'light') this.chosen = stored;
    } catch {
      // Storage may be forbidden; then it is as the system says each time.
    }
    this.system.addEventListener('change', () => this.apply());
  }

  get dark(): boolean {
    return this.chosen ? this.chosen === 'dark' : this.system.matches;
  }

  apply(): void {
    document.documentElement.dataset['theme'] = this.dark ? 'dark' : 'light';
    this.changed(this.dark);
  }

  toggle(): void {
    this.chosen = this.dark ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, this.chosen);
    } catch {
      // As above.
    }
    this.apply();
  }
}
