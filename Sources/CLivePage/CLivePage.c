// SPDX-License-Identifier: Apache-2.0
//
// The files of the live page, as they are in the folder `page`.

#include "CLivePage.h"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char between_js[] = {
#embed "page/between.js"
};
static const unsigned char connection_js[] = {
#embed "page/connection.js"
};
static const unsigned char crowd_js[] = {
#embed "page/crowd.js"
};
static const unsigned char dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char editor_js[] = {
#embed "page/editor.js"
};
static const unsigned char entity_js[] = {
#embed "page/entity.js"
};
static const unsigned char fields_js[] = {
#embed "page/fields.js"
};
static const unsigned char figures_js[] = {
#embed "page/figures.js"
};
static const unsigned char frames_js[] = {
#embed "page/frames.js"
};
static const unsigned char happenings_js[] = {
#embed "page/happenings.js"
};
static const unsigned char keyboard_js[] = {
#embed "page/keyboard.js"
};
static const unsigned char keyframes_js[] = {
#embed "page/keyframes.js"
};
static const unsigned char layout_js[] = {
#embed "page/layout.js"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char motionplot_js[] = {
#embed "page/motionplot.js"
};
static const unsigned char painter_js[] = {
#embed "page/painter.js"
};
static const unsigned char picture_js[] = {
#embed "page/picture.js"
};
static const unsigned char pins_js[] = {
#embed "page/pins.js"
};
static const unsigned char plots_js[] = {
#embed "page/plots.js"
};
static const unsigned char pointer_js[] = {
#embed "page/pointer.js"
};
static const unsigned char points_js[] = {
#embed "page/points.js"
};
static const unsigned char share_js[] = {
#embed "page/share.js"
};
static const unsigned char sprites_js[] = {
#embed "page/sprites.js"
};
static const unsigned char texts_js[] = {
#embed "page/texts.js"
};
static const unsigned char steering_js[] = {
#embed "page/steering.js"
};
static const unsigned char ticks_js[] = {
#embed "page/ticks.js"
};

#define FILE_AT(path, type, bytes) {path, type, bytes, sizeof bytes}

static const live_page_file files[] = {
  FILE_AT("/", "text/html; charset=utf-8", index_html),
  FILE_AT("/style.css", "text/css; charset=utf-8", style_css),
  FILE_AT("/icon.svg", "image/svg+xml", icon_svg),
  FILE_AT("/between.js", "text/javascript; charset=utf-8", between_js),
  FILE_AT("/connection.js", "text/javascript; charset=utf-8", connection_js),
  FILE_AT("/crowd.js", "text/javascript; charset=utf-8", crowd_js),
  FILE_AT("/dom.js", "text/javascript; charset=utf-8", dom_js),
  FILE_AT("/editor.js", "text/javascript; charset=utf-8", editor_js),
  FILE_AT("/entity.js", "text/javascript; charset=utf-8", entity_js),
  FILE_AT("/fields.js", "text/javascript; charset=utf-8", fields_js),
  FILE_AT("/figures.js", "text/javascript; charset=utf-8", figures_js),
  FILE_AT("/frames.js", "text/javascript; charset=utf-8", frames_js),
  FILE_AT("/happenings.js", "text/javascript; charset=utf-8", happenings_js),
  FILE_AT("/keyboard.js", "text/javascript; charset=utf-8", keyboard_js),
  FILE_AT("/keyframes.js", "text/javascript; charset=utf-8", keyframes_js),
  FILE_AT("/layout.js", "text/javascript; charset=utf-8", layout_js),
  FILE_AT("/main.js", "text/javascript; charset=utf-8", main_js),
  FILE_AT("/motionplot.js", "text/javascript; charset=utf-8", motionplot_js),
  FILE_AT("/painter.js", "text/javascript; charset=utf-8", painter_js),
  FILE_AT("/picture.js", "text/javascript; charset=utf-8", picture_js),
  FILE_AT("/pins.js", "text/javascript; charset=utf-8", pins_js),
  FILE_AT("/plots.js", "text/javascript; charset=utf-8", plots_js),
  FILE_AT("/pointer.js", "text/javascript; charset=utf-8", pointer_js),
  FILE_AT("/points.js", "text/javascript; charset=utf-8", points_js),
  FILE_AT("/share.js", "text/javascript; charset=utf-8", share_js),
  FILE_AT("/sprites.js", "text/javascript; charset=utf-8", sprites_js),
  FILE_AT("/texts.js", "text/javascript; charset=utf-8", texts_js),
  FILE_AT("/steering.js", "text/javascript; charset=utf-8", steering_js),
  FILE_AT("/ticks.js", "text/javascript; charset=utf-8", ticks_js),
};

size_t live_page_file_count(void) { return sizeof files / sizeof *files; }

live_page_file live_page_file_at(size_t index) { return files[index]; }
