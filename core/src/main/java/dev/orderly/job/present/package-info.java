/** Jobs for the eyes of operators: masked payloads, and the course of a job over time. */
@Internal(to = {"dev.orderly.config", "dev.orderly.dashboard", "dev.orderly.http", "dev.orderly.server"})
@NullMarked
package dev.orderly.job.present;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
