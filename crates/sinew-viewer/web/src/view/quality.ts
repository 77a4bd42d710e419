// How much the drawing may cost. Without a graphics card edges stay rough and shadows are left out; where drawing turns
// out to be slow, the same is given up step by step.

/** Whether WebGL is drawn by the processor. */
export function drawnBySoftware(): boolean {
  const canvas = document.createElement('canvas');
  const gl = canvas.getContext('webgl2');
  if (!gl) return false;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Watches the time between drawn frames and says when less should be drawn. */
export class Pace {
  private before = 0;
  private slow = 0;

  constructor(private readonly less: () => void) {}

  drawn(now: number): void {
    const apart = now - this.before;
    this.before = now;
    // A long gap is a tab in the background or a pause, no slow picture.
    if (apart > 1000) return;
    this.slow = apart > 45 ? this.slow + 1 : Math.max(0, this.slow - 2);
    if (this.slow > 40) {
      this.slow = 0;
      this.less();
    }
  }
}
