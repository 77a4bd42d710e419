// The picture of one variant: a three.js scene of its own.

import { DirectionalLight, HemisphereLight, Mesh, Object3D, Scene, Vector3, type Material } from 'three';
import type { Variant } from '../variant';
import { Bodies } from './body';
import type { Look } from './look';
import { Markers } from './markers';
import { Scenery } from './scenery';

export class VariantView {
  readonly scene = new Scene();
  readonly bodies: Bodies;
  readonly markers: Markers;
  readonly generation: number;
  private readonly scenery: Scenery;
  private readonly sky = new HemisphereLight('#ffffff', '#5d6684', 1);
  private readonly sun = new DirectionalLight('#fff4e2', 2.9);
  private readonly fill = new DirectionalLight('#dfe8ff', 0.6);

  constructor(
    readonly variant: Variant,
    readonly inside: boolean,
  ) {
    this.generation = variant.generation;
    this.bodies = new Bodies(variant, inside);
    this.markers = new Markers(variant, this.bodies.positions);
    this.scenery = new Scenery(variant);
    this.scene.add(this.scenery.group, this.bodies.group, this.markers.group);
    this.light();
  }

  private light(): void {
    const { min, max } = this.variant.scene.bounds;
    const middle = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    const { colliders, ground } = this.variant.scene;
    // Over a floor the light is higher, or shadows would fall far from what throws them.
    const floor = typeof ground === 'number' || colliders.some(({ kind }) => kind === 'plane');
    const height = floor ? max[1] - (ground ?? 0) : 0;
    const size = Math.max(this.variant.scene.size || 1, height);
    const { sun, fill, sky } = this;
    sun.target.position.copy(middle);
    // Else rather low, and nothing against it: in light from above small waves of a flat cloth would not be seen.
    const from = floor ? new Vector3(-0.7, 1.3, 0.5) : new Vector3(-1.1, 0.85, 0.35);
    sun.position.copy(middle).addScaledVector(from, 2.2 * size);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    const camera = sun.shadow.camera;
    camera.left = camera.bottom = -1.6 * size;
    camera.right = camera.top = 1.6 * size;
    camera.near = 0.1 * size;
    camera.far = 8 * size;
    sun.shadow.normalBias = 0.012 * size;
    sun.shadow.bias = -0.0005;
    sun.shadow.radius = 4;
    this.scene.add(sky, sun, sun.target, fill);
  }

  apply(look: Look): void {
    this.bodies.apply(look);
    this.scenery.tint(look.dark);
    this.markers.show(look.markers && look.holds);
    this.sun.castShadow = look.shadows;
    this.sky.intensity = look.dark ? 0.6 : 0.9;
    this.sky.groundColor.set(look.dark ? '#2c3350' : '#6d7590');
  }

  /** A soft light comes from where one looks, so that no side is ever all dark. */
  follow(eye: Vector3, toward: Vector3): void {
    this.fill.position.copy(eye).sub(toward);
  }

  update(): void {
    this.bodies.update();
    this.scenery.update();
    this.markers.update();
  }

  dispose(): void {
    this.sun.shadow.dispose();
    this.scene.traverse((object: Object3D) => {
      const drawn = object as Partial<Mesh>;
      drawn.geometry?.dispose();
      const materials = ([] as Material[]).concat(drawn.material ?? []);
      for (const material of materials) material.dispose();
    });
  }
}
