// What is shown, as a link: ?scene=NAME opens a built-in scene, &set=KEY=VALUE changes it, #text=… is a text that was edited. What a link
// cannot hold, such as a mesh that was dropped, the entry of the browser's history keeps, so that going back or loading again finds it.

import type { Source, VariantRequest } from './protocol/messages';

/** A file that was dropped on the page. */
export interface GivenFile {
  name: string;
  bytes: ArrayBuffer;
}

/** A scene with everything that was changed of it. */
export interface ScenePlace {
  /** The same as long as it is the same simulation. */
  id: string;
  source: Source;
  /** One for each variant; empty: one without changes. */
  variants: VariantRequest[];
  files: GivenFile[];
}

/** What an entry of the history shows. */
export type Place = { gallery: true } | ScenePlace;

/** Longest link, in characters; longer ones break on their way. What does not fit stays in the history of this tab. */
const LONGEST = 16_000;
/** Most bytes of files that an entry of the history keeps. */
const KEPT = 8 * 1024 * 1024;
const OURS = ['scene', 'file', 'set', 'compare'];

export function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}

async function squeeze(bytes: Uint8Array, how: 'deflate' | 'inflate'): Promise<Uint8Array> {
  const format = 'deflate-raw';
  const stream = how === 'deflate' ? new CompressionStream(format) : new DecompressionStream(format);
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as TransformStream<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(piped as BodyInit).arrayBuffer());
}

async function pack(text: string): Promise<string> {
  const bytes = await squeeze(new TextEncoder().encode(text), 'deflate');
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

async function unpack(packed: string): Promise<string> {
  const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(await squeeze(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), 'inflate'));
}

/** The link to a place; null: it cannot be one. */
export async function linkTo(place: Place): Promise<string | null> {
  const address = new URL(location.href);
  for (const name of OURS) address.searchParams.delete(name);
  address.hash = '';
  if ('gallery' in place) return address.href;
  const { source, variants } = place;
  const fragment = new URLSearchParams();
  if ('scene' in source) address.searchParams.set('scene', source.scene);
  else if ('file' in source) address.searchParams.set('file', source.file);
  else if ('text' in source && !source.dropped) {
    fragment.set('text', await pack(source.text));
    if (source.name) fragment.set('name', source.name);
    if (source.beside) fragment.set('beside', source.beside);
  } else return null;
  if (variants.length > 1) address.searchParams.set('compare', JSON.stringify(variants.map(({ label, set }) => [label, ...set])));
  else for (const change of variants[0]?.set ?? []) address.searchParams.append('set', change);
  // Readable where it may be: these mean nothing else behind the question mark.
  address.search = address.search.replaceAll('%3D', '=').replaceAll('%2F', '/');
  address.hash = fragment.size > 0 ? fragment.toString() : '';
  return address.href.length > LONGEST ? null : address.href;
}

/** What a link asks for; null: nothing, so the gallery. Throws a sentence where it makes no sense. */
export async function placeOfLink(link: string): Promise<ScenePlace | null> {
  const address = new URL(link);
  const query = address.searchParams;
  const fragment = new URLSearchParams(address.hash.slice(1));
  const source = await sourceOf(query, fragment);
  if (!source) return null;
  const compare = query.get('compare');
  const set = query.getAll('set');
  const variants = compare ? readCompare(compare) : set.length > 0 ? [{ label: '', set }] : [];
  return { id: newId(), source, variants, files: [] };
}

async function sourceOf(query: URLSearchParams, fragment: URLSearchParams): Promise<Source | null> {
  // #scene=NAME is how older links say it.
  const scene = query.get('scene') ?? fragment.get('scene');
  if (scene) return { scene };
  const file = query.get('file');
  if (file) return { file };
  const packed = fragment.get('text');
  if (!packed) return null;
  try {
    const [name, beside] = [fragment.get('name'), fragment.get('beside')];
    return { text: await unpack(packed), ...(name ? { name } : {}), ...(beside ? { beside } : {}) };
  } catch {
    throw new Error('The scene in this link cannot be read; it may have been cut off on its way.');
  }
}

function readCompare(text: string): VariantRequest[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.length <= 4 && list.every((one) => Array.isArray(one) && one.length > 0 && one.every((word) => typeof word === 'string'))) {
      return (list as string[][]).map(([label, ...set]) => ({ label, set }));
    }
  } catch {
    // As below.
  }
  throw new Error('The variants in this link cannot be read; it may have been cut off on its way.');
}

/** What the entry of the history shows; null: the page was not here before. */
export function placeOfHistory(): Place | null {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null) return null;
  if ('gallery' in state || ('id' in state && 'source' in state)) return state as Place;
  return null;
}

/** Makes a place the entry of the history: a new one, or in place of the one there is. */
export async function remember(place: Place, how: 'push' | 'replace'): Promise<void> {
  const link = (await linkTo(place)) ?? (await linkTo({ gallery: true }))!;
  const small = 'gallery' in place || place.files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) <= KEPT;
  const kept = small || 'gallery' in place ? place : { ...place, files: [] };
  const call = how === 'push' ? history.pushState.bind(history) : history.replaceState.bind(history);
  try {
    call(kept, '', link);
  } catch {
    // A browser may refuse what is too large for it.
    call('gallery' in kept ? kept : { ...kept, files: [] }, '', link);
  }
}
