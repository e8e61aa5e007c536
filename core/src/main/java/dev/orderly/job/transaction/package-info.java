/** Transactions of the application that pushes and completions of jobs can be part of. */
@NullMarked
package dev.orderly.job.transaction;

import org.jspecify.annotations.NullMarked;
