// A soft ball from the eye toward what one points at.

import { radiusWithin, within } from '../protocol/limits';
import type { Store } from '../store';
import type { Stage } from '../view/stage';

/** Speed in sizes of the scene a second, radius in sizes. */
const SPEED = 4;
const RADIUS = 0.12;

export function throwBall(store: Store, stage: Stage, toward: [number, number] | null): void {
  const variant = store.variants[0];
  if (!variant) return;
  const box = stage.canvas.getBoundingClientRect();
  const rect = stage.rects()[0];
  const [x, y] = toward ?? [box.left + rect.x + rect.width / 2, box.top + rect.y + rect.height / 2];
  const ray = stage.ray(x, y);
  const size = variant.scene.size || 1;
  // It starts low in the picture and flies to where the line of sight is at the distance of the orbit's centre.
  const reach = stage.eye.controls.target.distanceTo(ray.origin);
  const aim = ray.origin.clone().addScaledVector(ray.direction, reach);
  const from = ray.origin.clone().addScaledVector(ray.direction, Math.min(0.4 * reach, Math.max(0, reach - 1.8 * size)));
  const velocity = aim.sub(from).setLength(SPEED * size);
  store.send({ do: 'throw', from: within(from), velocity: within(velocity), radius: radiusWithin(RADIUS * size) });
}
