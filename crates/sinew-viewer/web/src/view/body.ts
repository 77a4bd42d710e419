// The bodies of one variant: surfaces, springs and bones, all over one array of positions.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
} from 'three';
import type { Variant } from '../variant';
import { bodyColour, mapColours } from './colours';
import { cutSurfaces, neighbours } from './cut';
import { dotsAt } from './dots';
import type { Look } from './look';
import { accumulate, computeNormals, normalise } from './normals';

interface Surface {
  mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  wires: Mesh<BufferGeometry, MeshBasicMaterial>;
  whole: Uint32Array;
  /** There are bones in it, which one may want to see. */
  flesh: boolean;
}

/** Whether some of these vertices are on bones and some are not. */
function isFlesh(vertices: Uint32Array, boneOfVertex: Int32Array): boolean {
  let bone = false;
  let free = false;
  for (const v of vertices) {
    if (boneOfVertex[v] >= 0) bone = true;
    else free = true;
    if (bone && free) return true;
  }
  return false;
}

export class Bodies {
  readonly group = new Group();
  readonly positions: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly colours: BufferAttribute;
  private readonly surfaces: (Surface | null)[] = [];
  private readonly strings: LineSegments<BufferGeometry, LineBasicMaterial>[] = [];
  private boneNormals: BufferAttribute | null = null;
  private behind: Int32Array | null = null;
  private coloured = false;
  private isCut = false;

  constructor(
    private readonly variant: Variant,
    /** All vertices, or only those that are seen. */
    readonly inside: boolean,
  ) {
    const count = inside ? variant.scene.vertices : variant.scene.seen;
    this.positions = new BufferAttribute(variant.positions.subarray(0, count * 3), 3).setUsage(DynamicDrawUsage);
    this.normals = new BufferAttribute(new Float32Array(count * 3), 3).setUsage(DynamicDrawUsage);
    this.colours = new BufferAttribute(new Float32Array(count * 3).fill(1), 3).setUsage(DynamicDrawUsage);
    this.build();
  }

  private geometry(index: Uint32Array, normals: BufferAttribute | null): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.positions);
    if (normals) geometry.setAttribute('normal', normals);
    geometry.setAttribute('color', this.colours);
    geometry.setIndex(new BufferAttribute(index, 1));
    return geometry;
  }

  private build(): void {
    const { scene, mesh } = this.variant;
    if (!mesh) return;
    let triangle = 0;
    let spring = 0;
    let tetrahedron = 0;
    scene.bodies.forEach((body, number) => {
      const colour = bodyColour(number);
      const index = mesh.triangles.slice(triangle * 3, (triangle + body.triangles) * 3);
      triangle += body.triangles;
      const inner = mesh.tetrahedra.subarray(tetrahedron * 4, (tetrahedron + body.tetrahedra) * 4);
      tetrahedron += body.tetrahedra;
      const flesh = !body.rigid && mesh.boneTriangles.length > 0 && (mesh.boneOfVertex ? isFlesh(inner, mesh.boneOfVertex) : inner.length > 0);
      if (body.triangles > 0) {
        this.surfaces.push(this.surface(index, colour, body.rigid, flesh));
        return;
      }
      this.surfaces.push(null);
      const lines = mesh.springs.slice(spring * 2, (spring + body.springs) * 2);
      spring += body.springs;
      if (lines.length === 0) return;
      const strings = new LineSegments(this.geometry(lines, null), new LineBasicMaterial({ color: colour }));
      strings.frustumCulled = false;
      this.strings.push(strings);
      this.group.add(strings);
      const ends = new Set(lines);
      const balls = dotsAt(this.positions, [...ends], {
        colour: `#${colour.getHexString()}`,
        edge: `#${colour.clone().multiplyScalar(0.6).getHexString()}`,
        size: ends.size > 400 ? 7 : ends.size > 40 ? 11 : 20,
      });
      this.group.add(balls);
    });
    if (mesh.boneTriangles.length > 0) this.buildBones(mesh.boneTriangles);
  }

  private surface(index: Uint32Array, colour: MeshStandardMaterial['color'], rigid: boolean, flesh: boolean): Surface {
    const geometry = this.geometry(index, this.normals);
    const material = new MeshStandardMaterial({
      color: colour,
      side: DoubleSide,
      roughness: rigid ? 0.35 : 0.55,
      metalness: rigid ? 0.15 : 0,
    });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    const wires = new Mesh(geometry, new MeshBasicMaterial({ wireframe: true, transparent: true, opacity: 0.22, depthWrite: false }));
    wires.frustumCulled = false;
    wires.visible = false;
    wires.renderOrder = 3;
    this.group.add(mesh, wires);
    return { mesh, wires, whole: index, flesh };
  }

  private buildBones(index: Uint32Array): void {
    this.boneNormals = new BufferAttribute(new Float32Array(this.positions.count * 3), 3).setUsage(DynamicDrawUsage);
    const geometry = this.geometry(index, this.boneNormals);
    const material = new MeshStandardMaterial({
      color: '#d8cdb4',
      roughness: 0.55,
      side: DoubleSide,
      // A bone without flesh has the surface of its body, which shall be the one that is seen.
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    });
    const bones = new Mesh(geometry, material);
    bones.frustumCulled = false;
    bones.castShadow = true;
    this.group.add(bones);
  }

  /** Takes on what the controls of the view say. */
  apply(look: Look): void {
    this.recut(look);
    this.surfaces.forEach((surface, body) => {
      if (!surface) return;
      const through = surface.flesh && !this.isCut ? look.flesh : 1;
      surface.wires.visible = look.wireframe;
      surface.wires.material.color.set(look.dark ? '#e8ecff' : '#10142a');
      const { material } = surface.mesh;
      material.transparent = through < 1;
      material.opacity = through;
      material.depthWrite = through >= 1;
      surface.mesh.visible = through > 0.01;
      surface.mesh.renderOrder = through < 1 ? 2 : 0;
      // Faces of a cut lie between vertices that know nothing of it: their own flat light shows them as they are.
      const flat = this.isCut && this.variant.scene.bodies[body].tetrahedra > 0;
      if (material.flatShading !== flat) {
        material.flatShading = flat;
        material.needsUpdate = true;
      }
    });
  }

  private recut(look: Look): void {
    const wanted = look.cut.on && this.inside && this.variant.mesh!.tetrahedra.length > 0;
    if (!wanted && !this.isCut) return;
    this.behind ??= neighbours(this.variant.mesh!.tetrahedra, this.variant.scene.vertices);
    const cut = wanted ? cutSurfaces(this.variant, this.behind, look.cut) : null;
    this.surfaces.forEach((surface, body) => {
      if (!surface) return;
      const index = cut?.[body] ?? surface.whole;
      // The geometry stays: disposing of it would take the positions away from all that share them. A later version
      // of the index makes its wireframe anew.
      const { geometry } = surface.mesh;
      const fresh = new BufferAttribute(index, 1);
      fresh.version = geometry.index!.version + 1;
      geometry.setIndex(fresh);
    });
    this.isCut = wanted;
  }

  /** Triangles of each body as they are drawn now. */
  drawn(): Uint32Array[] {
    return this.surfaces.flatMap((surface) => (surface ? [surface.mesh.geometry.index!.array as Uint32Array] : []));
  }

  /** After new positions. */
  update(): void {
    const mesh = this.variant.mesh;
    if (!mesh) return;
    const positions = this.variant.positions;
    const normals = this.normals.array as Float32Array;
    this.positions.needsUpdate = true;
    computeNormals(positions, mesh.triangles, normals);
    this.normals.needsUpdate = true;
    if (this.boneNormals) {
      const own = this.boneNormals.array as Float32Array;
      own.fill(0);
      accumulate(positions, mesh.boneTriangles, own);
      normalise(own);
      this.boneNormals.needsUpdate = true;
    }
    this.recolour();
  }

  private recolour(): void {
    const { colours, range } = this.variant;
    const on = colours !== null;
    if (on) {
      mapColours(colours, range[0], range[1], this.colours.array as Float32Array);
      this.colours.needsUpdate = true;
    }
    if (on === this.coloured) return;
    this.coloured = on;
    this.surfaces.forEach((surface, body) => {
      if (!surface) return;
      surface.mesh.material.vertexColors = on;
      surface.mesh.material.color.set(on ? 0xffffff : bodyColour(body));
      surface.mesh.material.needsUpdate = true;
    });
    let spring = 0;
    this.variant.scene.bodies.forEach((body, number) => {
      if (body.triangles > 0 || body.springs === 0) return;
      const { material } = this.strings[spring++];
      material.vertexColors = on;
      material.color.set(on ? 0xffffff : bodyColour(number));
      material.needsUpdate = true;
    });
  }
}
