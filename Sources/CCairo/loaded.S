// SPDX-License-Identifier: Apache-2.0
//
// The functions of Cairo, Pango, GLib and HarfBuzz that this module calls. They are loaded when one of them is first
// called: programs that draw nothing would spend a third of their start on 34 libraries. A function that is missing
// here is an error of the linker; names that only other versions of the headers call may be here.

// A word for the function's address, 0 until it is called, and its name: `loaded_function` of loaded.c.
.macro function name
  .section .data.loaded, "aw", @progbits
  .p2align 3
address_\name:
  .quad 0
  .asciz "\name"

  .text
  .p2align 4
  .globl \name
  .hidden \name
  .type \name, @function
\name:
  .cfi_startproc
#if defined(__x86_64__)
  movq address_\name(%rip), %r11
  testq %r11, %r11
  jz 1f
  jmp *%r11
1:
  leaq address_\name(%rip), %r11
  jmp load_function
#elif defined(__aarch64__)
  adrp x16, address_\name
  add x16, x16, :lo12:address_\name
  ldar x17, [x16]
  cbz x17, 1f
  br x17
1:
  b load_function
#endif
  .cfi_endproc
  .size \name, . - \name
.endm

.macro loaded names:vararg
  .irp name, \names
  function \name
  .endr
.endm

// Asks loaded.c for the address, and goes there with the arguments of the call: all registers that can hold one.
  .text
  .p2align 4
  .type load_function, @function
load_function:
  .cfi_startproc
#if defined(__x86_64__)
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $192, %rsp
  movq %rax, (%rsp)
  movq %rdi, 8(%rsp)
  movq %rsi, 16(%rsp)
  movq %rdx, 24(%rsp)
  movq %rcx, 32(%rsp)
  movq %r8, 40(%rsp)
  movq %r9, 48(%rsp)
  movaps %xmm0, 64(%rsp)
  movaps %xmm1, 80(%rsp)
  movaps %xmm2, 96(%rsp)
  movaps %xmm3, 112(%rsp)
  movaps %xmm4, 128(%rsp)
  movaps %xmm5, 144(%rsp)
  movaps %xmm6, 160(%rsp)
  movaps %xmm7, 176(%rsp)
  movq %r11, %rdi
  call loaded_address
  movq %rax, %r11
  movq (%rsp), %rax
  movq 8(%rsp), %rdi
  movq 16(%rsp), %rsi
  movq 24(%rsp), %rdx
  movq 32(%rsp), %rcx
  movq 40(%rsp), %r8
  movq 48(%rsp), %r9
  movaps 64(%rsp), %xmm0
  movaps 80(%rsp), %xmm1
  movaps 96(%rsp), %xmm2
  movaps 112(%rsp), %xmm3
  movaps 128(%rsp), %xmm4
  movaps 144(%rsp), %xmm5
  movaps 160(%rsp), %xmm6
  movaps 176(%rsp), %xmm7
  leave
  .cfi_def_cfa %rsp, 8
  jmp *%r11
#elif defined(__aarch64__)
  stp x29, x30, [sp, -224]!
  .cfi_def_cfa_offset 224
  .cfi_offset x29, -224
  .cfi_offset x30, -216
  mov x29, sp
  stp x0, x1, [sp, 16]
  stp x2, x3, [sp, 32]
  stp x4, x5, [sp, 48]
  stp x6, x7, [sp, 64]
  str x8, [sp, 80]
  stp q0, q1, [sp, 96]
  stp q2, q3, [sp, 128]
  stp q4, q5, [sp, 160]
  stp q6, q7, [sp, 192]
  mov x0, x16
  bl loaded_address
  mov x17, x0
  ldp x0, x1, [sp, 16]
  ldp x2, x3, [sp, 32]
  ldp x4, x5, [sp, 48]
  ldp x6, x7, [sp, 64]
  ldr x8, [sp, 80]
  ldp q0, q1, [sp, 96]
  ldp q2, q3, [sp, 128]
  ldp q4, q5, [sp, 160]
  ldp q6, q7, [sp, 192]
  ldp x29, x30, [sp], 224
  .cfi_def_cfa_offset 0
  br x17
#endif
  .cfi_endproc
  .size load_function, . - load_function

loaded cairo_arc, cairo_clip, cairo_close_path, cairo_copy_path, cairo_create, cairo_destroy, cairo_fill
loaded cairo_font_options_create, cairo_font_options_destroy, cairo_font_options_set_antialias
loaded cairo_font_options_set_hint_metrics, cairo_font_options_set_hint_style, cairo_get_matrix
loaded cairo_get_source, cairo_get_target, cairo_identity_matrix, cairo_image_surface_create
loaded cairo_image_surface_create_for_data, cairo_image_surface_create_from_png_stream
loaded cairo_image_surface_get_data, cairo_image_surface_get_height, cairo_image_surface_get_stride
loaded cairo_image_surface_get_width, cairo_line_to, cairo_move_to, cairo_new_path, cairo_paint
loaded cairo_paint_with_alpha, cairo_path_destroy, cairo_pattern_add_color_stop_rgba, cairo_pattern_create_linear
loaded cairo_pattern_destroy, cairo_pattern_set_extend, cairo_pattern_set_filter
loaded cairo_pop_group_to_source, cairo_push_group, cairo_recording_surface_create
loaded cairo_rectangle, cairo_reset_clip, cairo_restore
loaded cairo_save, cairo_scale, cairo_set_antialias, cairo_set_dash, cairo_set_line_join
loaded cairo_set_line_width, cairo_set_matrix, cairo_set_operator, cairo_set_source
loaded cairo_set_source_rgba, cairo_set_source_surface, cairo_set_tolerance, cairo_status
loaded cairo_stroke, cairo_surface_destroy, cairo_surface_finish, cairo_surface_flush
loaded cairo_surface_status, cairo_surface_write_to_png_stream, cairo_svg_surface_create_for_stream
loaded cairo_svg_surface_set_document_unit, cairo_translate, g_ascii_strcasecmp, g_free
loaded g_hash_table_insert, g_hash_table_lookup, g_hash_table_new_full, g_hash_table_unref
loaded g_malloc0, g_malloc0_n, g_object_unref, g_str_equal, g_str_hash, g_strchomp, g_strchug
loaded g_strconcat, g_strdup, g_strfreev, g_string_append_len, g_string_append_printf, g_string_free
loaded g_string_free_and_steal, g_string_insert_len, g_string_new, g_strsplit, hb_font_get_face, hb_ot_color_has_layers
loaded hb_ot_color_has_png, hb_ot_color_has_svg, pango_cairo_context_set_font_options
loaded pango_cairo_font_map_new, pango_cairo_glyph_string_path, pango_cairo_show_glyph_string
loaded pango_cairo_show_layout, pango_context_load_font, pango_context_set_base_dir
loaded pango_context_set_language, pango_context_set_round_glyph_positions, pango_font_describe
loaded pango_font_description_free, pango_font_description_from_string
loaded pango_font_description_get_family, pango_font_description_get_size
loaded pango_font_description_set_absolute_size, pango_font_description_set_family
loaded pango_font_family_get_name, pango_font_get_hb_font, pango_font_map_create_context
loaded pango_font_map_list_families, pango_glyph_string_extents, pango_language_from_string
loaded pango_layout_get_baseline, pango_layout_get_extents, pango_layout_get_font_description
loaded pango_layout_get_iter, pango_layout_get_unknown_glyphs_count, pango_layout_iter_free
loaded pango_layout_iter_get_baseline, pango_layout_iter_get_run_extents
loaded pango_layout_iter_get_run_readonly, pango_layout_iter_next_run, pango_layout_new
loaded pango_layout_set_font_description, pango_layout_set_text

  .section .note.GNU-stack, "", @progbits
