// Crowds as points of WebGL2, for browsers in which that is faster than script: the same dots in the same pixels.

const VERTEX = `#version 300 es
precision highp float;
in float x, y, opacity, originX, originY;
in vec4 color;
uniform vec2 unit, least, corner, size;
uniform float scale, side, opacityUnit;
flat out vec4 dotColor;
void main() {
  // As script does: the pixel towards zero, and no dot that is not wholly in the picture.
  ivec2 cell = ivec2(corner + vec2(originX, originY) * scale + vec2(x, y) * unit);
  bool isIn = all(greaterThanEqual(cell, ivec2(0))) && all(lessThanEqual(cell, ivec2(size - side)))
    && all(greaterThan(vec2(x, y), least));
  vec2 center = (vec2(cell) + side / 2.0) / size * 2.0 - 1.0;
  gl_Position = isIn && opacity * opacityUnit >= 0.05 ? vec4(center.x, -center.y, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = side;
  dotColor = vec4(color.rgb * color.a, color.a);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
flat in vec4 dotColor;
uniform float side;
out vec4 pixel;
void main() {
  ivec2 at = ivec2(gl_PointCoord * side);
  int last = int(side) - 1;
  bvec2 isEdge = bvec2(at.x == 0 || at.x == last, at.y == 0 || at.y == last);
  if (side > 3.0 && all(isEdge)) discard;
  pixel = dotColor;
}`;

const COLUMNS = { x: 1, y: 2, opacity: 3 }, ORIGINS = ["originX", "originY"];

/** @typedef {import("/crowd.js").Crowd} Crowd */

export class Points {
  /**
   * Points for crowds; null where the browser has no WebGL2 that draws them.
   *
   * @param {(Crowd | null)[]} crowds Of the batches.
   */
  static make(crowds) {
    const canvas = document.createElement("canvas");
    const gl = canvas.getContext("webgl2", { antialias: false, depth: false, preserveDrawingBuffer: true });
    try {
      return gl && new Points(canvas, gl, crowds);
    } catch (error) {
      console.warn(error);
      return null;
    }
  }

  /** Gives the browser back what it holds for this. */
  free() { this.gl.getExtension("WEBGL_lose_context")?.loseContext(); }

  /** @param {HTMLCanvasElement} canvas @param {WebGL2RenderingContext} gl @param {(Crowd | null)[]} crowds */
  constructor(canvas, gl, crowds) {
    this.canvas = canvas;
    this.gl = gl;
    this.program = link(gl);
    gl.useProgram(this.program);
    this.uniforms = Object.fromEntries(
      ["unit", "least", "corner", "size", "scale", "side", "opacityUnit"].map((name) =>
        [name, gl.getUniformLocation(this.program, name)]));
    this.places = Object.fromEntries(
      [...Object.keys(COLUMNS), ...ORIGINS, "color"].map((name) => [name, gl.getAttribLocation(this.program, name)]));
    this.crowds = crowds.map((crowd) => crowd && this.begin(crowd));
  }

  /** What does not change of a crowd: where each entity stands, and its colour. @param {Crowd} crowd */
  begin(crowd) {
    const { gl } = this;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    for (const name of ORIGINS) this.fill(gl.createBuffer(), this.places[name], crowd[name], 1, gl.FLOAT, false);
    this.fill(gl.createBuffer(), this.places.color, crowd.colors, 4, gl.UNSIGNED_BYTE, true);
    return { crowd, array, buffers: Object.keys(COLUMNS).map(() => gl.createBuffer()) };
  }

  fill(buffer, place, values, size, type, isShare) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STREAM_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, type, isShare, 0, 0);
  }

  /**
   * Draws a crowd on an empty picture.
   *
   * @param {number} index Of its batch. @param {import("/frames.js").Columns} columns Of the batch.
   * @param {{ scale: number, left: number, top: number }} view @param {number} width @param {number} height
   * @param {number} count Entities.
   */
  draw(index, columns, view, width, height, count) {
    const { gl, canvas, uniforms } = this;
    const { crowd, array, buffers } = this.crowds[index];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindVertexArray(array);
    Object.entries(COLUMNS).forEach(([name, field], at) => {
      const [place, column] = [this.places[name], columns[field]];
      gl.disableVertexAttribArray(place);
      gl.vertexAttrib1f(place, name === "opacity" ? 1 : 0);
      if (!column) return;
      const type = column.values instanceof Int16Array ? gl.SHORT : gl.FLOAT;
      this.fill(buffers[at], place, column.values, 1, type, false);
    });
    const side = crowd.sideFor(view.scale);
    const corner = (side - 1) / 2 - 0.5;
    const unit = (field) => columns[field]?.unit || 1;
    // An entity whose value is absent has no place.
    const least = (field) => columns[field]?.absent || -3e38;
    gl.uniform2f(uniforms.least, least(COLUMNS.x), least(COLUMNS.y));
    gl.uniform2f(uniforms.unit, unit(COLUMNS.x) * view.scale, unit(COLUMNS.y) * view.scale);
    gl.uniform1f(uniforms.opacityUnit, unit(COLUMNS.opacity));
    gl.uniform2f(uniforms.corner, view.left - corner, view.top - corner);
    gl.uniform2f(uniforms.size, width, height);
    gl.uniform1f(uniforms.scale, view.scale);
    gl.uniform1f(uniforms.side, side);
    gl.drawArrays(gl.POINTS, 0, count);
  }

  /** Waits until all is drawn, for a measurement. */
  finish() { this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4)); }
}

/** @param {WebGL2RenderingContext} gl */
function link(gl) {
  const program = gl.createProgram();
  const add = (type, source) => {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  add(gl.VERTEX_SHADER, VERTEX);
  add(gl.FRAGMENT_SHADER, FRAGMENT);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(`WebGL2: ${gl.getProgramInfoLog(program)}`);
  return program;
}
