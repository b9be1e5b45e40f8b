/**
 * The small languages that manifests are written in: tags, the expr language, govaluate conditions,
 * paths into JSON, schedules and durations. One package each; all of it pure and safe to share
 * between threads. The README of the module says where to begin.
 */
@NullMarked
package dev.millrace.expressions;

import org.jspecify.annotations.NullMarked;
