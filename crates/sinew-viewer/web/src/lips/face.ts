// The picture of the face: one mesh, its lip line, and what is seen where.

import { BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, HemisphereLight, Matrix4, Mesh, MeshStandardMaterial, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import { el } from '../dom';
import type { SceneInfo, Vec3 } from '../protocol/messages';
import { Eye } from '../view/camera';
import { computeNormals } from '../view/normals';
import { drawnBySoftware } from '../view/quality';
import type { Desk } from './desk';
import type { DrawingCamera, FaceMesh, LipsHello } from './messages';

const SKIN = new Color('#d9b8a6');
const LIPS = new Color('#c07a74');

/** How far beside a vertex one may point to mean it, pixels. */
const REACH = 40;

export class FaceView {
  readonly canvas = el('canvas', {
    id: 'canvas',
    tabindex: 0,
    role: 'application',
    'aria-label': 'The face. With the tool Turn, drag or use the arrow keys to turn it. With the other tools, draw with the pointer, or move the cross with the arrow keys, Enter sets a point, Backspace takes it back, F finishes the line.',
  });
  readonly eye: Eye;
  /** The camera follows the mouth from frame to frame. */
  follow = true;
  /** Called after the picture was drawn. */
  drawn: () => void = () => {};
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly sun = new DirectionalLight('#fff6ea', 2.4);
  private geometry = new BufferGeometry();
  private readonly material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.75, side: DoubleSide });
  private readonly edges = new Mesh(this.geometry, new MeshStandardMaterial({ color: '#4a3a3a', wireframe: true, transparent: true, opacity: 0.35 }));
  private readonly surface = new Mesh(this.geometry, this.material);
  private dirty = true;
  private first: Vector3 | null = null;
  private middle: Vector3 | null = null;

  constructor(
    private readonly stage: HTMLElement,
    private readonly desk: Desk,
  ) {
    const software = drawnBySoftware();
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: !software });
    this.renderer.setPixelRatio(software ? 1 : Math.min(2, devicePixelRatio));
    this.eye = new Eye(this.canvas, () => this.invalidate());
    this.edges.visible = false;
    this.scene.add(this.surface, this.edges, new HemisphereLight('#ffffff', '#8a7a78', 1.1), this.sun, this.sun.target);
    stage.append(this.canvas);
    new ResizeObserver(() => this.resize()).observe(stage);
    desk.events.on('mesh', (mesh) => this.build(mesh));
    desk.events.on('hello', (hello) => this.fit(hello));
    desk.events.on('face', () => this.update());
    desk.events.on('lines', () => this.invalidate());
    const loop = () => {
      this.eye.controls.update();
      if (this.dirty) this.draw();
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  invalidate(): void {
    this.dirty = true;
  }

  restyle(dark: boolean): void {
    this.scene.background = new Color(dark ? '#161b28' : '#e4e8f1');
    this.invalidate();
  }

  showEdges(on: boolean): void {
    this.edges.visible = on;
    this.invalidate();
  }

  /** Whether dragging with one finger or the left button turns the view. */
  turns(on: boolean): void {
    // Two fingers and the other buttons always move it. OrbitControls knows −1 as nothing.
    this.eye.controls.mouseButtons.LEFT = on ? 0 : (-1 as never);
    this.eye.controls.touches.ONE = on ? 0 : (-1 as never);
    this.canvas.style.cursor = on ? 'grab' : 'crosshair';
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.stage;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.invalidate();
  }

  private fit(hello: LipsHello): void {
    const { min, max } = hello.bounds;
    const size = Math.hypot(...max.map((x, i) => x - min[i]));
    this.eye.fit({ bounds: hello.bounds, size, camera: hello.camera } as unknown as SceneInfo);
    this.first = this.middle = null;
  }

  home(): void {
    this.eye.goHome();
    if (this.first && this.middle && this.follow) this.shift(this.middle.clone().sub(this.first));
    this.invalidate();
  }

  private shift(by: Vector3): void {
    this.eye.camera.position.add(by);
    this.eye.controls.target.add(by);
    this.eye.controls.update();
  }

  private build(mesh: FaceMesh): void {
    this.geometry.dispose();
    const vertices = this.desk.hello?.vertices ?? 0;
    const colours = new Float32Array(3 * vertices);
    for (let v = 0; v < vertices; v++) SKIN.toArray(colours, 3 * v);
    for (const v of mesh.inner) LIPS.toArray(colours, 3 * v);
    this.geometry = new BufferGeometry();
    this.geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * vertices), 3));
    this.geometry.setAttribute('normal', new BufferAttribute(new Float32Array(3 * vertices), 3));
    this.geometry.setAttribute('color', new BufferAttribute(colours, 3));
    this.surface.geometry = this.edges.geometry = this.geometry;
    this.surface.frustumCulled = this.edges.frustumCulled = false;
  }

  private update(): void {
    const { positions, mesh } = this.desk;
    const at = this.geometry.getAttribute('position') as BufferAttribute;
    const normals = this.geometry.getAttribute('normal') as BufferAttribute;
    if (!mesh || at.array.length !== positions.length) return;
    (at.array as Float32Array).set(positions);
    computeNormals(positions, mesh.triangles, normals.array as Float32Array);
    at.needsUpdate = normals.needsUpdate = true;
    this.geometry.computeBoundingSphere();
    this.followMouth(positions, mesh);
    this.invalidate();
  }

  private followMouth(positions: Float32Array, mesh: FaceMesh): void {
    const middle = new Vector3();
    for (const v of mesh.mouth) middle.add(new Vector3().fromArray(positions, 3 * v));
    middle.divideScalar(Math.max(1, mesh.mouth.length));
    this.first ??= middle.clone();
    if (this.middle && this.follow) this.shift(middle.clone().sub(this.middle));
    this.middle = middle;
  }

  /** Where the lip line that is chosen is in the picture. */
  lipLine(): [number, number][] {
    const { lines, line } = this.desk;
    return (lines[line] ?? []).map((vertex) => this.project(vertex)).filter((at) => at !== null);
  }

  private aim(): void {
    this.eye.aim(this.stage.clientWidth / Math.max(1, this.stage.clientHeight));
  }

  private draw(): void {
    this.dirty = false;
    this.aim();
    const { camera, controls } = this.eye;
    // The light comes from beside the eye, so that a turned face is lit, too.
    const away = camera.position.clone().sub(controls.target);
    const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0).multiplyScalar(-0.6 * away.length());
    const up = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1).multiplyScalar(0.7 * away.length());
    this.sun.position.copy(camera.position).add(right).add(up);
    this.sun.target.position.copy(controls.target);
    this.renderer.render(this.scene, camera);
    this.drawn();
  }

  /** The camera as the server wants it. */
  camera(): DrawingCamera {
    this.aim();
    const { camera } = this.eye;
    const forward = new Vector3().setFromMatrixColumn(camera.matrixWorld, 2).multiplyScalar(-1);
    const up = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    return {
      eye: camera.position.toArray() as Vec3,
      look_at: camera.position.clone().add(forward).toArray() as Vec3,
      up: up.toArray() as Vec3,
      fov: camera.fov,
      width: this.stage.clientWidth,
      height: this.stage.clientHeight,
    };
  }

  /** Where a vertex is in the picture, pixels; null behind the camera. */
  project(vertex: number): [number, number] | null {
    const { positions } = this.desk;
    if (3 * vertex + 2 >= positions.length) return null;
    this.aim();
    const { camera } = this.eye;
    const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const seen = new Vector3().fromArray(positions, 3 * vertex).applyMatrix4(matrix);
    if (!(Math.abs(seen.z) <= 1)) return null;
    return [((seen.x + 1) / 2) * this.stage.clientWidth, ((1 - seen.y) / 2) * this.stage.clientHeight];
  }

  /** The inner lip's vertex that one means by pointing there: the nearest one that is in sight; −1: none is near. */
  pick(x: number, y: number): number {
    const near: { vertex: number; distance: number }[] = [];
    for (const vertex of this.desk.mesh?.inner ?? []) {
      const at = this.project(vertex);
      const distance = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (distance < REACH) near.push({ vertex, distance });
    }
    near.sort((a, b) => a.distance - b.distance);
    return (near.slice(0, 24).find(({ vertex }) => this.inSight(vertex)) ?? near[0])?.vertex ?? -1;
  }

  private inSight(vertex: number): boolean {
    const { camera } = this.eye;
    const at = new Vector3().fromArray(this.desk.positions, 3 * vertex);
    const ray = new Raycaster();
    const seen = at.clone().project(camera);
    ray.setFromCamera(new Vector2(seen.x, seen.y), camera);
    const [hit] = ray.intersectObject(this.surface, false);
    return !hit || hit.distance > camera.position.distanceTo(at) * (1 - 2e-3);
  }
}
