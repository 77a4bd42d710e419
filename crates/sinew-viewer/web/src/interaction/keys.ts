// Keys that work anywhere on the page, except where one writes.

export interface KeyActions {
  toggle(): void;
  step(): void;
  reset(): void;
  ball(): void;
  home(): void;
  escape(): void;
  help(): void;
  /** The gallery or a dialog is in front; the keys are for it. */
  busy(): boolean;
}

export const keyHelp: [string, string][] = [
  ['Space', 'play or pause'],
  ['P', 'one step'],
  ['R', 'back to the start'],
  ['B', 'throw a ball at the pointer'],
  ['F', 'camera back'],
  ['Arrows', 'turn the view (with Shift: move it; + and − zoom), when the picture has the focus'],
  ['V, Shift + V', 'go from vertex to vertex, from the middle of the picture on (1 to 4 choose the variant); Escape leaves'],
  ['Enter', 'pin the vertex, or free it'],
  ['G', 'pull the vertex by arrows, Page Up and Page Down; G or Escape lets go'],
  ['Drag a body', 'pull it; several fingers pull at several points'],
  ['Click a point', 'pin it, or free it'],
  ['Shift + drag', 'select vertices'],
  ['Drag a red dot', 'move what a spring is attached to; double click gives it back'],
  ['Ctrl + Enter', 'run the scene text'],
];

export function listenToKeys(actions: KeyActions): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest('textarea, select, input, [contenteditable]') || actions.busy()) return;
    // A focused button is pressed by Space; it shall not also play.
    if (event.key === ' ' && target?.closest('button, a, summary, [role=tab]')) return;
    switch (event.key.toLowerCase()) {
      case ' ':
        actions.toggle();
        break;
      case 'p':
        actions.step();
        break;
      case 'r':
        actions.reset();
        break;
      case 'b':
        if (event.repeat) return;
        actions.ball();
        break;
      case 'f':
        actions.home();
        break;
      case 'escape':
        actions.escape();
        break;
      case '?':
        actions.help();
        break;
      default:
        return;
    }
    event.preventDefault();
  });
}
