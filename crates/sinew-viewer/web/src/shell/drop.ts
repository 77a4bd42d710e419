// Files that are dropped on the page, or chosen by a button: scenes, meshes, saved states.

import type { GivenFile } from '../address';
import { el } from '../dom';
import { checkState } from '../protocol/decode';
import { TEXT_LIMIT } from '../protocol/limits';
import type { Source } from '../protocol/messages';
import type { Store } from '../store';

/** What the engine reads as a mesh; the others of a pair or a glTF come with it. */
const MESHES = ['obj', 'ply', 'stl', 'off', 'glb', 'gltf', 'mesh', 'ele', 'node', 'smesh', 'poly', 'msh', 'veg', 'vtk', 'vtu', 'vtp', 'npz'];
/** Most bytes of a file: that of a message to the engine, with some room for its name. */
const LARGEST = 64 * 1024 * 1024 - 4096;

const ending = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

export const ACCEPTED = ['toml', 'sinewstate', 'joint', 'bin', ...MESHES].map((end) => `.${end}`).join(',');

/** Takes files as a person means them: a state, else a scene with the files it names, else a mesh. Throws a sentence. */
export async function take(store: Store, files: File[], open: (source: Source, given: GivenFile[]) => void): Promise<void> {
  const large = files.find(({ size }) => size > LARGEST);
  if (large) throw new Error(`${large.name} is larger than 64 MiB, which is more than the page takes.`);
  const state = files.find(({ name }) => ending(name) === 'sinewstate');
  if (state) {
    const bytes = await state.arrayBuffer();
    try {
      checkState(bytes);
    } catch (error) {
      throw new Error(`${state.name} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
    }
    return store.sendState(bytes);
  }
  const given: GivenFile[] = [];
  const scene = files.find(({ name }) => ending(name) === 'toml');
  for (const file of files) if (file !== scene) given.push({ name: file.name, bytes: await file.arrayBuffer() });
  if (scene) {
    const text = await scene.text();
    if (new Blob([JSON.stringify(text)]).size > TEXT_LIMIT) throw new Error(`${scene.name} is longer than a scene may be (1 MiB). Put its meshes into files of their own and drop them together.`);
    const name = scene.name.replace(/\.toml$/i, '');
    return open({ text, name, ...(given.length > 0 ? { dropped: true } : {}) }, given);
  }
  // A .node is the other half of an .ele.
  const order = (name: string) => (MESHES.includes(ending(name)) ? MESHES.indexOf(ending(name)) : Infinity);
  const mesh = [...given].sort((a, b) => order(a.name) - order(b.name))[0];
  if (!mesh || order(mesh.name) === Infinity) {
    const names = files.map(({ name }) => name).join(', ');
    throw new Error(`${names}: the page takes scenes (.toml), saved states (.sinewstate) and meshes (${MESHES.map((end) => `.${end}`).join(' ')}).`);
  }
  open({ mesh: mesh.name }, given);
}

/** The whole page takes what is dropped on it, and says so while something is held over it. */
export function listenToDrops(taken: (files: File[]) => void): HTMLElement {
  const veil = el('div', { class: 'veil', hidden: true, 'aria-hidden': 'true' }, el('p', {}, 'Drop a scene (.toml), a mesh or a saved state'));
  const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  let depth = 0;
  addEventListener('dragenter', (event) => {
    if (!holdsFiles(event)) return;
    depth++;
    veil.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (!holdsFiles(event)) return;
    depth = Math.max(0, depth - 1);
    veil.hidden = depth === 0;
  });
  addEventListener('dragover', (event) => {
    if (holdsFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) taken(files);
  });
  return veil;
}

/** A button for those who do not drag: fingers and keyboards. */
export function fileButton(id: string, text: string, taken: (files: File[]) => void): HTMLElement[] {
  const input = el('input', { id: `${id}-files`, type: 'file', multiple: true, accept: ACCEPTED, class: 'unseen', tabindex: -1, 'aria-label': 'Files to open' });
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length > 0) taken(files);
  });
  return [el('button', { type: 'button', id, onclick: () => input.click() }, text), input];
}
