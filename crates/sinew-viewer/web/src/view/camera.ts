// One camera for all variants, turned by mouse, fingers and keys.

import { MOUSE, PerspectiveCamera, Spherical, TOUCH, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { SceneInfo } from '../protocol/messages';

export class Eye {
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 100);
  readonly controls: OrbitControls;
  private home: { position: Vector3; target: Vector3; fov: number } | null = null;
  private size = 1;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    this.controls.addEventListener('change', changed);
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  /** To where the scene wants it, or to where everything is in the picture. */
  fit(scene: SceneInfo, aspect: number): void {
    const { min, max } = scene.bounds;
    const middle = new Vector3().addVectors(new Vector3(...min), new Vector3(...max)).multiplyScalar(0.5);
    const radius = Math.max(new Vector3(...max).distanceTo(new Vector3(...min)) / 2, 1e-3);
    this.size = scene.size || radius;
    this.camera.near = this.size * 0.01;
    this.camera.far = this.size * 100;
    if (scene.camera) {
      const fov = scene.camera.fov || 40;
      const target = new Vector3(...scene.camera.look_at);
      const position = new Vector3(...scene.camera.eye);
      // The scene was framed for a picture that is about as wide as high; a narrow view steps back.
      if (aspect < 1) position.sub(target).divideScalar(aspect).add(target);
      this.home = { position, target, fov };
    } else {
      const fov = 40;
      const narrow = Math.min(1, aspect);
      const distance = (1.15 * radius) / Math.sin(((fov / 2) * Math.PI) / 180) / narrow;
      const position = new Vector3(0.5, 0.55, 1).setLength(distance).add(middle);
      this.home = { position, target: middle, fov };
    }
    this.goHome();
  }

  goHome(): void {
    if (!this.home) return;
    this.camera.fov = this.home.fov;
    this.camera.position.copy(this.home.position);
    this.controls.target.copy(this.home.target);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { camera, controls } = this;
    const away = camera.position.clone().sub(controls.target);
    const step = Math.PI / 36;
    const orbit = (theta: number, phi: number) => {
      const at = new Spherical().setFromVector3(away);
      at.theta += theta;
      at.phi = Math.min(Math.PI - 0.02, Math.max(0.02, at.phi + phi));
      camera.position.copy(controls.target).add(new Vector3().setFromSpherical(at));
    };
    const pan = (right: number, up: number) => {
      const scale = away.length() * 0.04;
      const shift = new Vector3()
        .setFromMatrixColumn(camera.matrix, 0)
        .multiplyScalar(right * scale)
        .addScaledVector(new Vector3().setFromMatrixColumn(camera.matrix, 1), up * scale);
      camera.position.add(shift);
      controls.target.add(shift);
    };
    const move = event.shiftKey ? pan : (x: number, y: number) => orbit(-x * step, y * step);
    switch (event.key) {
      case 'ArrowLeft':
        move(-1, 0);
        break;
      case 'ArrowRight':
        move(1, 0);
        break;
      case 'ArrowUp':
        move(0, event.shiftKey ? 1 : -1);
        break;
      case 'ArrowDown':
        move(0, event.shiftKey ? -1 : 1);
        break;
      case '+':
      case '=':
        camera.position.copy(controls.target).addScaledVector(away, 0.9);
        break;
      case '-':
        camera.position.copy(controls.target).addScaledVector(away, 1 / 0.9);
        break;
      case 'Home':
        this.goHome();
        break;
      default:
        return;
    }
    event.preventDefault();
    controls.update();
  }
}
