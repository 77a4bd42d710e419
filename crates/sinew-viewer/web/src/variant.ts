// What the page knows of one variant: its scene, its mesh, where everything is now.

import { History } from './history';
import type { Frame, Mesh } from './protocol/decode';
import type { SceneInfo, Values } from './protocol/messages';

export class Variant {
  scene: SceneInfo;
  values: Values;
  set: string[];
  mesh: Mesh | null = null;
  /** All vertices, x y z; those inside are only up to date while the inside is asked for. */
  positions = new Float32Array(0);
  colours: Float32Array | null = null;
  range: [number, number] = [0, 1];
  placements: Float32Array = new Float32Array(0);
  targets: Float32Array = new Float32Array(0);
  joints: Float32Array = new Float32Array(0);
  grabs: Float32Array = new Float32Array(0);
  time = 0;
  steps = 0;
  /** Steps whose rows never reached the page. */
  lostRows = 0;
  history: History;
  /** Changes with every mesh: pictures made from an older one are to be thrown away. */
  generation = 0;
  /** Changes with every mesh that numbers vertices or attachments anew: numbers that were noted before mean nothing then. */
  numbering = 0;
  /** A frame with positions has come since the mesh. */
  ready = false;
  /** Largest kinetic energy, first potential energy and its largest change so far: the scale on which drift is measured. */
  private scale = { kinetic: 0, potential: NaN, change: 0 };

  constructor(scene: SceneInfo) {
    this.scene = scene;
    this.values = scene.values;
    this.set = scene.set;
    this.history = new History(scene.columns);
  }

  /** The same variant with another model (a ball was thrown, a material changed). */
  takeScene(scene: SceneInfo): void {
    this.scene = scene;
    this.values = scene.values;
    this.set = scene.set;
    this.history.adapt(scene.columns);
  }

  takeMesh(mesh: Mesh): void {
    const limit = this.scene.vertices;
    for (const list of [mesh.triangles, mesh.springs, mesh.tetrahedra, mesh.boneTriangles, mesh.pinned, mesh.attached]) {
      for (let i = 0; i < list.length; i++) {
        if (list[i] >= limit) throw new Error(`the mesh names vertex ${list[i]} of ${limit}`);
      }
    }
    if (!this.mesh || !sameNumbers(this.mesh, mesh)) this.numbering++;
    this.mesh = mesh;
    this.positions = new Float32Array(this.scene.vertices * 3);
    this.colours = null;
    this.placements = new Float32Array(this.scene.colliders.length * 7);
    for (let c = 0; c < this.scene.colliders.length; c++) this.placements[c * 7 + 6] = 1;
    this.targets = new Float32Array(mesh.attached.length * 3);
    this.joints = new Float32Array(0);
    this.grabs = new Float32Array(0);
    this.ready = false;
    this.generation++;
  }

  takeFrame(frame: Frame): void {
    if (!this.mesh) throw new Error('a frame came before the mesh');
    const { runs, positions } = frame;
    let total = 0;
    for (let r = 0; r < runs.length; r += 2) {
      if (runs[r] + runs[r + 1] > this.scene.vertices) throw new Error('a frame moves vertices that do not exist');
      total += runs[r + 1];
    }
    if (total * 3 !== positions.length) throw new Error('the positions of a frame do not fit its runs');
    let at = 0;
    for (let r = 0; r < runs.length; r += 2) {
      const count = runs[r + 1] * 3;
      this.positions.set(positions.subarray(at, at + count), runs[r] * 3);
      at += count;
    }
    if (total > 0) this.ready = true;
    this.colours = frame.colours;
    if (frame.range) this.range = frame.range;
    if (frame.placements && frame.placements.length === this.placements.length) this.placements = frame.placements;
    if (frame.targets && frame.targets.length === this.targets.length) this.targets = frame.targets;
    if (frame.joints) this.joints = frame.joints;
    if (frame.grabs) this.grabs = frame.grabs;
    this.takeRows(frame);
    this.time = frame.time;
    this.steps = frame.steps;
  }

  private takeRows(frame: Frame): void {
    if (frame.steps < this.steps || frame.time < this.time) {
      this.history.clear();
      this.lostRows = 0;
      this.scale = { kinetic: 0, potential: NaN, change: 0 };
      this.steps = 0;
    }
    const width = this.history.names.length;
    const rows = frame.rows;
    if (!rows) return;
    if (width === 0 || rows.length % width !== 0) throw new Error('the rows of a frame do not fit the columns');
    const made = frame.steps - this.steps;
    const came = rows.length / width;
    if (this.history.length > 0 && made > came) this.lostRows += made - came;
    this.history.push(rows);
    const kinetic = this.history.names.indexOf('kinetic');
    const potential = this.history.names.indexOf('potential');
    if (kinetic < 0 || potential < 0) return;
    const { scale } = this;
    for (let at = 0; at < rows.length; at += width) {
      if (Number.isNaN(scale.potential)) scale.potential = rows[at + potential];
      scale.kinetic = Math.max(scale.kinetic, rows[at + kinetic]);
      scale.change = Math.max(scale.change, Math.abs(rows[at + potential] - scale.potential));
    }
  }

  /** |H − target| over the largest kinetic energy plus the largest change of potential energy, as reports have it. */
  drift(): number {
    const apart = Math.abs(this.history.newest('energy') - this.history.newest('target'));
    return apart === 0 ? 0 : apart / (this.scale.kinetic + this.scale.change);
  }

  /** Mean visible motion of the last fifth of the rows over that of the first fifth, as reports have it; NaN as long as one is not known. */
  visibleKept(): number {
    const { length } = this.history;
    const fifth = Math.ceil(length / 5);
    const mean = (from: number, to: number) => {
      const known = this.history.column('visible', from, to).filter(Number.isFinite);
      return known.reduce((sum, value) => sum + value, 0) / known.length;
    };
    const first = mean(0, fifth);
    return first > 0 ? mean(length - fifth, length) / first : NaN;
  }
}

/** Pins and wind come with a mesh, too, in which every number means what it meant. */
function sameNumbers(a: Mesh, b: Mesh): boolean {
  const lists = ['triangles', 'springs', 'tetrahedra', 'boneTriangles', 'attached'] as const;
  return lists.every((list) => a[list].length === b[list].length && a[list].every((v, i) => v === b[list][i]));
}
