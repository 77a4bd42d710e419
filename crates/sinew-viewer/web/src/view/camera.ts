// One camera for all variants, turned by mouse, fingers and keys.

import { MOUSE, PerspectiveCamera, Spherical, TOUCH, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { SceneInfo, Vec3 } from '../protocol/messages';

/** Width over height of the part of the picture that is in sight in every viewport, however narrow. */
const FRAME = 1.4;

export class Eye {
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 100);
  readonly controls: OrbitControls;
  private home: { position: Vector3; target: Vector3; fov: number } | null = null;
  private size = 1;
  private fov = 40;

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
  fit(scene: SceneInfo): void {
    const { min, max } = scene.bounds;
    const middle = new Vector3().addVectors(new Vector3(...min), new Vector3(...max)).multiplyScalar(0.5);
    this.size = scene.size || 1;
    if (scene.camera) {
      const fov = scene.camera.fov || 40;
      const target = new Vector3(...scene.camera.look_at);
      const position = new Vector3(...scene.camera.eye);
      this.home = { position, target, fov };
    } else {
      const fov = 40;
      const toward = new Vector3(0.5, 0.55, 1).normalize();
      const position = middle.clone().addScaledVector(toward, this.distance(min, max, middle, toward, fov));
      this.home = { position, target: middle, fov };
    }
    this.limit(middle);
    this.goHome();
  }

  /** Neither into a body nor so far that the last plane of sight would cut off what is there. */
  private limit(middle: Vector3): void {
    const { controls, camera, size } = this;
    const { position, target } = this.home!;
    const away = position.distanceTo(target);
    controls.cursor.copy(middle);
    controls.maxTargetRadius = Math.max(10 * size, 2 * target.distanceTo(middle));
    controls.minDistance = Math.min(0.05 * size, 0.5 * away);
    controls.maxDistance = Math.max(20 * size, 4 * away);
    camera.near = 0.2 * controls.minDistance;
    // The floor reaches 4.5 sizes from the middle.
    camera.far = Math.max(100 * size, controls.maxDistance + controls.maxTargetRadius + 10 * size);
  }

  /** How far away, in a direction, all corners of the bounds are in the picture with some room around them. */
  private distance(min: Vec3, max: Vec3, middle: Vector3, toward: Vector3, fov: number): number {
    const right = new Vector3(0, 1, 0).cross(toward).normalize();
    const up = toward.clone().cross(right);
    const high = Math.tan((fov * Math.PI) / 360) / 1.15;
    const wide = high * FRAME;
    let distance = this.size * 0.5;
    for (let corner = 0; corner < 8; corner++) {
      const at = new Vector3(corner & 1 ? min[0] : max[0], corner & 2 ? min[1] : max[1], corner & 4 ? min[2] : max[2]).sub(middle);
      distance = Math.max(distance, at.dot(toward) + Math.abs(at.dot(right)) / wide, at.dot(toward) + Math.abs(at.dot(up)) / high);
    }
    return distance;
  }

  goHome(): void {
    if (!this.home) return;
    this.fov = this.home.fov;
    this.camera.aspect = 0; // so that the next viewport is taken anew
    this.camera.position.copy(this.home.position);
    this.controls.target.copy(this.home.target);
    this.controls.update();
  }

  /** For a viewport of some shape: a narrow one sees as far to the sides as one of the frame's shape would. */
  aim(aspect: number): void {
    const { camera } = this;
    if (Math.abs(camera.aspect - aspect) > 1e-6) {
      camera.aspect = aspect;
      const half = Math.tan((this.fov * Math.PI) / 360) * Math.max(1, FRAME / aspect);
      camera.fov = (Math.atan(half) * 360) / Math.PI;
      camera.updateProjectionMatrix();
    }
    camera.updateMatrixWorld();
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
