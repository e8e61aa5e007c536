/** Drives an application's jobs in a test: runs what is ready, moves time, loses workers, lists what was pushed. */
@NullMarked
package dev.orderly.testkit.harness;

import org.jspecify.annotations.NullMarked;
