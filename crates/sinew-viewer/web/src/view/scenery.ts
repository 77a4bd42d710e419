// What bodies lie on and strike: planes, grounds and solids.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  FrontSide,
  GreaterDepth,
  Group,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  ShaderMaterial,
  ShadowMaterial,
  Vector3,
} from 'three';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Variant } from '../variant';

const gridVertex = /* glsl */ `
varying vec2 at;
void main() {
  at = position.xz;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Lines as wide as a pixel at any distance, which fade before they shimmer.
const gridFragment = /* glsl */ `
varying vec2 at;
uniform vec2 origin;
uniform float spacing;
uniform float radius;
uniform vec3 floorColour;
uniform vec3 lineColour;
float lines(float step) {
  vec2 p = (at + origin) / step;
  vec2 width = fwidth(p);
  vec2 d = abs(fract(p - 0.5) - 0.5) / max(width, vec2(1e-6));
  float line = 1.0 - min(min(d.x, d.y), 1.0);
  return line * clamp(1.0 - max(width.x, width.y) * 2.0, 0.0, 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(at) / radius);
  float line = max(lines(spacing) * 0.45, lines(spacing * 5.0) * 0.9);
  gl_FragColor = vec4(mix(floorColour, lineColour, line), fade * mix(0.55, 0.9, line));
  #include <colorspace_fragment>
}`;

class Floor {
  readonly group = new Group();
  private readonly grid: ShaderMaterial;
  private readonly turned = new Quaternion();

  constructor(size: number) {
    // 1, 2 or 5 times a power of ten, about a sixth of the scene.
    const raw = size / 6;
    const power = 10 ** Math.floor(Math.log10(raw));
    const spacing = power * (raw / power >= 5 ? 5 : raw / power >= 2 ? 2 : 1);
    const radius = 4.5 * size;
    this.grid = new ShaderMaterial({
      vertexShader: gridVertex,
      fragmentShader: gridFragment,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: {
        origin: { value: { x: 0, y: 0 } },
        spacing: { value: spacing },
        radius: { value: radius },
        floorColour: { value: new Color() },
        lineColour: { value: new Color() },
      },
    });
    const plane = new PlaneGeometry(2 * radius, 2 * radius).rotateX(-Math.PI / 2);
    const surface = new Mesh(plane, this.grid);
    surface.renderOrder = -2;
    const shadow = new Mesh(plane, new ShadowMaterial({ opacity: 0.22, depthWrite: false, color: 0x0a1030 }));
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    this.group.add(surface, shadow);
  }

  tint(dark: boolean): void {
    this.grid.uniforms['floorColour'].value.set(dark ? '#1d2230' : '#e9ecf4');
    this.grid.uniforms['lineColour'].value.set(dark ? '#47506a' : '#aab2c8');
  }

  /** On the plane through `point` turned by `rotation`, under `centre`, which is where one looks. */
  place(point: Vector3, rotation: Quaternion, centre: Vector3): void {
    const normal = new Vector3(0, 1, 0).applyQuaternion(rotation);
    const away = centre.clone().sub(point).dot(normal);
    const middle = centre.clone().addScaledVector(normal, -away);
    this.group.position.copy(middle);
    this.group.quaternion.copy(rotation);
    // The pattern belongs to the plane, not to the disc that shows a part of it.
    const local = middle.sub(point).applyQuaternion(this.turned.copy(rotation).invert());
    this.grid.uniforms['origin'].value = { x: local.x, y: local.z };
  }
}

export class Scenery {
  readonly group = new Group();
  private readonly floors: { floor: Floor; collider: number }[] = [];
  private readonly solids: { mesh: Mesh<BufferGeometry, MeshStandardMaterial>; collider: number }[] = [];
  private readonly centre: Vector3;

  constructor(private readonly variant: Variant) {
    const { scene, mesh } = variant;
    const { min, max } = scene.bounds;
    this.centre = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    // What a cloth lies on shows through it a little, or one would not know what it lies on.
    const draped = scene.bodies.some((body) => body.triangles > 0 && body.tetrahedra === 0 && !body.rigid);
    let point = 0;
    let triangle = 0;
    scene.colliders.forEach((collider, number) => {
      if (collider.kind === 'plane') {
        this.addFloor(number);
        return;
      }
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(mesh!.solidPoints.slice(point * 3, (point + collider.points) * 3), 3));
      geometry.setIndex(new BufferAttribute(mesh!.solidTriangles.slice(triangle * 3, (triangle + collider.triangles) * 3), 1));
      point += collider.points;
      triangle += collider.triangles;
      // Round things smooth, edges sharp.
      const solid = new Mesh(toCreasedNormals(geometry, Math.PI / 5), new MeshStandardMaterial({ roughness: 0.8, side: DoubleSide }));
      solid.castShadow = true;
      solid.receiveShadow = true;
      this.solids.push({ mesh: solid, collider: number });
      this.group.add(solid);
      if (draped) this.addGhost(solid, number);
    });
    if (this.floors.length === 0 && typeof scene.ground === 'number') {
      this.addFloor(-1);
      this.floors[0].floor.place(new Vector3(0, scene.ground, 0), new Quaternion(), this.centre);
    }
  }

  private addGhost(solid: Mesh<BufferGeometry, MeshStandardMaterial>, collider: number): void {
    const material = new MeshStandardMaterial({ roughness: 0.9, side: FrontSide, transparent: true, opacity: 0.3, depthFunc: GreaterDepth, depthWrite: false });
    const ghost = new Mesh(solid.geometry, material);
    ghost.renderOrder = 3;
    this.solids.push({ mesh: ghost, collider });
    this.group.add(ghost);
  }

  private addFloor(collider: number): void {
    const floor = new Floor(this.variant.scene.size || 1);
    this.floors.push({ floor, collider });
    this.group.add(floor.group);
  }

  tint(dark: boolean): void {
    for (const { floor } of this.floors) floor.tint(dark);
    for (const { mesh } of this.solids) mesh.material.color.set(dark ? '#7d869c' : '#b9c0d0');
  }

  update(): void {
    const at = this.variant.placements;
    const rotation = new Quaternion();
    for (const { mesh, collider } of this.solids) {
      mesh.position.fromArray(at, collider * 7);
      mesh.quaternion.fromArray(at, collider * 7 + 3);
    }
    for (const { floor, collider } of this.floors) {
      if (collider < 0) continue;
      floor.place(new Vector3().fromArray(at, collider * 7), rotation.fromArray(at, collider * 7 + 3), this.centre);
    }
  }
}
