/** Jobs for the eyes of operators: masked payloads, and the course of a job over time. */
@NullMarked
package dev.orderly.job.present;

import org.jspecify.annotations.NullMarked;
