/** Tests of the dashboard without a browser. */
@NullMarked
package dev.orderly.dashboard;

import org.jspecify.annotations.NullMarked;
