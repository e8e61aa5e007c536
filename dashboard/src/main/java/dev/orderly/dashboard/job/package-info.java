/** The page of a job. */
@NullMarked
package dev.orderly.dashboard.job;

import org.jspecify.annotations.NullMarked;
