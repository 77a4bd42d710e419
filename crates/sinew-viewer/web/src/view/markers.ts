// What holds the bodies, and what is chosen: pins, attachments, joints, grabs, the selection.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineBasicMaterial, LineSegments, type Points, type ShaderMaterial } from 'three';
import type { Variant } from '../variant';
import { dots, dotsAt } from './dots';

/** Metres across of what holds bodies, in sizes of the scene. */
const DOT = 0.016;

/** Points and lines whose number changes: a buffer that only ever grows. */
class Strokes {
  readonly geometry = new BufferGeometry();
  private attribute = new BufferAttribute(new Float32Array(0), 3);

  write(count: number, fill: (out: Float32Array) => void): void {
    if (this.attribute.count < count) {
      this.geometry.dispose();
      this.attribute = new BufferAttribute(new Float32Array(count * 2 * 3), 3).setUsage(DynamicDrawUsage);
      this.geometry.setAttribute('position', this.attribute);
    }
    if (count > 0) fill(this.attribute.array as Float32Array);
    this.attribute.needsUpdate = true;
    this.geometry.setDrawRange(0, count);
  }
}

export class Markers {
  readonly group = new Group();
  private readonly holds = new Group();
  private pinDots: Points | null = null;
  private selectionDots: Points | null = null;
  private cursorDot: Points | null = null;
  private readonly attachmentLines = new Strokes();
  private readonly attachmentDots = new Strokes();
  private readonly jointDots = new Strokes();
  private readonly handLines = new Strokes();

  constructor(
    private readonly variant: Variant,
    private readonly positions: BufferAttribute,
  ) {
    this.group.add(this.holds);
    const count = variant.mesh?.attached.length ?? 0;
    const size = count > 60 ? 6 : count > 12 ? 8 : 11;
    const metres = DOT * (variant.scene.size || 1);
    this.holds.add(this.segments(this.attachmentLines, '#e5484d'), dots(this.attachmentDots.geometry, { colour: '#e5484d', size, metres }));
    this.holds.add(dots(this.jointDots.geometry, { colour: '#ffb020', edge: '#5c3b00', size: 10, metres: 1.5 * metres, through: true }));
    this.group.add(this.segments(this.handLines, '#ff3d8b', true), dots(this.handLines.geometry, { colour: '#ff3d8b', size: 13, through: true }));
  }

  private segments(strokes: Strokes, color: string, through = false): LineSegments<BufferGeometry, LineBasicMaterial> {
    const material = new LineBasicMaterial({ color, transparent: true, opacity: 0.9, depthTest: !through });
    const lines = new LineSegments(strokes.geometry, material);
    lines.frustumCulled = false;
    lines.renderOrder = through ? 19 : 5;
    return lines;
  }

  show(on: boolean): void {
    this.holds.visible = on;
  }

  pins(vertices: Iterable<number>): void {
    this.pinDots = this.replace(this.holds, this.pinDots, this.few([...vertices]), '#d6342c', 9, false, DOT * (this.variant.scene.size || 1));
  }

  /** A bone that is held has hundreds of held vertices; some of them say it as well. */
  private few(vertices: number[]): number[] {
    const bones = this.variant.mesh?.boneOfVertex;
    if (!bones) return vertices;
    const ofBone = new Map<number, number[]>();
    for (const v of vertices) {
      if (!(bones[v] >= 0) || v >= this.positions.count) continue;
      const list = ofBone.get(bones[v]);
      if (list) list.push(v);
      else ofBone.set(bones[v], [v]);
    }
    const kept = [...ofBone.values()].flatMap((all) => all.filter((_, i) => i % Math.ceil(all.length / 8) === 0));
    return [...vertices.filter((v) => !(bones[v] >= 0)), ...kept];
  }

  selection(vertices: Iterable<number>): void {
    this.selectionDots = this.replace(this.group, this.selectionDots, [...vertices], '#ffc400', 8);
  }

  /** Where the keyboard is. */
  cursor(vertex: number | null): void {
    this.cursorDot = this.replace(this.group, this.cursorDot, vertex === null ? [] : [vertex], '#00a2ff', 17, true);
  }

  private replace(parent: Group, old: Points | null, vertices: number[], colour: string, size: number, through = false, metres = 0): Points | null {
    if (old) {
      parent.remove(old);
      // Its positions are those of the bodies, which go on.
      old.geometry.deleteAttribute('position');
      old.geometry.dispose();
      (old.material as ShaderMaterial).dispose();
    }
    if (vertices.length === 0) return null;
    // Hundreds of pins in a row shall not hide what they hold.
    const fresh = dotsAt(this.positions, vertices, { colour, size: vertices.length > 60 ? size * 0.7 : size, metres, through });
    parent.add(fresh);
    return fresh;
  }

  update(): void {
    const { positions, targets, joints, grabs, mesh } = this.variant;
    const attached = mesh?.attached ?? new Uint32Array(0);
    this.attachmentDots.write(attached.length, (out) => out.set(targets));
    this.attachmentLines.write(attached.length * 2, (out) => {
      for (let a = 0; a < attached.length; a++) {
        const v = attached[a] * 3;
        for (let k = 0; k < 3; k++) {
          out[a * 6 + k] = targets[a * 3 + k];
          out[a * 6 + 3 + k] = positions[v + k];
        }
      }
    });
    // A weld is nowhere in particular.
    const placed = joints.filter((_, i) => !Number.isNaN(joints[i - (i % 3)]));
    this.jointDots.write(placed.length / 3, (out) => out.set(placed));
    const count = grabs.length / 7;
    this.handLines.write(count * 2, (out) => {
      for (let h = 0; h < count; h++) for (let k = 0; k < 6; k++) out[h * 6 + k] = grabs[h * 7 + 1 + k];
    });
  }
}
