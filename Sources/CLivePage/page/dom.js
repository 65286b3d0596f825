// Elements of the page by their ids, each of the class that its use needs.

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
function find(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} '${id}'`);
  return found;
}

/** @param {string} id */
export const element = (id) => find(id, HTMLElement);
/** @param {string} id */
export const button = (id) => find(id, HTMLButtonElement);
/** @param {string} id */
export const input = (id) => find(id, HTMLInputElement);
/** @param {string} id */
export const select = (id) => find(id, HTMLSelectElement);
/** @param {string} id */
export const canvas = (id) => find(id, HTMLCanvasElement);
/** @param {string} id */
export const table = (id) => find(id, HTMLTableElement);
/** @param {string} id */
export const dialog = (id) => find(id, HTMLDialogElement);
